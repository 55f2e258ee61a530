;; attract
;;
;; Pair functor 'attract' without lists: central particles begin … end − 1 meet all packed neighbors.
;;   near      four neighbors: is one of them within the cutoff, at its nearest image?
;;   call      the functor, two pairs at a time, under the mask of those that are
;;   store     sums go to the row of the particle
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $positions i32) (local $all.central i32) (local $all.rows i32) (local $all.x i32)
    (local $all.y i32) (local $all.z i32) (local $all.bytes i32) (local $threads i32)
    (local $threads:thread i32) (local $threads:thread@24 i32) (local $p.sigma2 f64)
    (local $p.sigma2.lanes v128) (local $p.epsilon f64) (local $p.epsilon.lanes v128)
    (local $give.fx v128) (local $give.fy v128) (local $give.fz v128) (local $give.ep v128)
    (local $factor v128) (local $v23 v128) (local $v24 v128) (local $v25 v128) (local $v26 v128)
    (local $cutoff2 f64) (local $cutoff2.lanes v128) (local $images.basis0 f64)
    (local $images.basis0.lanes v128) (local $images.basis4 f64) (local $images.basis4.lanes v128)
    (local $images.basis8 f64) (local $images.basis8.lanes v128) (local $images.dual0 f64)
    (local $images.dual0.lanes v128) (local $images.dual4 f64) (local $images.dual4.lanes v128)
    (local $images.dual8 f64) (local $images.dual8.lanes v128) (local $d41 f64) (local $v42 v128)
    (local $d43 f64) (local $v44 v128) (local $k i32) (local $all.central:k@0 i32)
    (local $positions:all.central:k@0 i32) (local $positions:all.central:k@0@0 v128)
    (local $positions:all.central:k@0@8 v128) (local $positions:all.central:k@0@16 v128)
    (local $i51 i32) (local $v52 v128) (local $v53 v128) (local $v54 v128) (local $v55 v128)
    (local $v56 v128) (local $v57 v128) (local $v58 v128) (local $v59 v128) (local $v60 v128)
    (local $v61 v128) (local $v62 v128) (local $v63 v128) (local $v64 v128) (local $v65 v128)
    (local $v66 v128) (local $v67 v128) (local $i68 i32) (local $i69 i32) (local $v70 v128)
    (local $v71 v128) (local $v72 v128) (local $v73 v128) (local $v74 v128) (local $v75 v128)
    (local $v76 v128) (local $v77 v128) (local $constant v128) (local $v79 v128) (local $i80 i32)
    (local $i81 i32) (local $inverse v128) (local $s2 v128) (local $s6 v128) (local $f v128)
    (local $i86 i32) (local $i87 i32) (local $i88 i32)
    (local.set $positions (i32.load (local.get $args)))
    (local.set $all.central (i32.load offset=8 (local.get $args)))
    (local.set $all.rows (i32.load offset=16 (local.get $args)))
    (local.set $all.x (i32.load offset=24 (local.get $args)))
    (local.set $all.y (i32.load offset=32 (local.get $args)))
    (local.set $all.z (i32.load offset=40 (local.get $args)))
    (local.set $all.bytes (i32.load offset=48 (local.get $args)))
    (local.set $threads (i32.load offset=56 (local.get $args)))
    (local.set $threads:thread
      (i32.add (local.get $threads) (i32.mul (local.get $thread) (i32.const 28))))
    (local.set $threads:thread@24 (i32.load offset=24 (local.get $threads:thread)))
    (local.set $p.sigma2 (f64.load offset=64 (local.get $args)))
    (local.set $p.sigma2.lanes (f64x2.splat (local.get $p.sigma2)))
    (local.set $p.epsilon (f64.load offset=72 (local.get $args)))
    (local.set $p.epsilon.lanes (f64x2.splat (local.get $p.epsilon)))
    (local.set $cutoff2 (f64.load offset=80 (local.get $args)))
    (local.set $cutoff2.lanes (f64x2.splat (local.get $cutoff2)))
    (local.set $images.basis0 (f64.load offset=88 (local.get $args)))
    (local.set $images.basis0.lanes (f64x2.splat (local.get $images.basis0)))
    (local.set $images.basis4 (f64.load offset=96 (local.get $args)))
    (local.set $images.basis4.lanes (f64x2.splat (local.get $images.basis4)))
    (local.set $images.basis8 (f64.load offset=104 (local.get $args)))
    (local.set $images.basis8.lanes (f64x2.splat (local.get $images.basis8)))
    (local.set $images.dual0 (f64.load offset=112 (local.get $args)))
    (local.set $images.dual0.lanes (f64x2.splat (local.get $images.dual0)))
    (local.set $images.dual4 (f64.load offset=120 (local.get $args)))
    (local.set $images.dual4.lanes (f64x2.splat (local.get $images.dual4)))
    (local.set $images.dual8 (f64.load offset=128 (local.get $args)))
    (local.set $images.dual8.lanes (f64x2.splat (local.get $images.dual8)))
    (local.set $constant (v128.const i32x4 0x00000000 0x00000000 0x00000001 0x00000000))
    (local.set $d41 (f64.mul (f64.const 24) (local.get $p.epsilon)))
    (local.set $v42 (f64x2.splat (local.get $d41)))
    (local.set $d43 (f64.mul (f64.const 2) (local.get $p.epsilon)))
    (local.set $v44 (f64x2.splat (local.get $d43)))
    (local.set $k (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $all.central:k@0
          (i32.load (i32.add (local.get $all.central) (i32.shl (local.get $k) (i32.const 2)))))
        (local.set $positions:all.central:k@0
          (i32.add (local.get $positions) (i32.shl (local.get $all.central:k@0) (i32.const 5))))
        (local.set $positions:all.central:k@0@0
          (v128.load64_splat (local.get $positions:all.central:k@0)))
        (local.set $positions:all.central:k@0@8
          (v128.load64_splat offset=8 (local.get $positions:all.central:k@0)))
        (local.set $positions:all.central:k@0@16
          (v128.load64_splat offset=16 (local.get $positions:all.central:k@0)))
        (local.set $v23 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v24 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v25 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v26 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $i51 (i32.shl (i32.and (local.get $k) (i32.const -4)) (i32.const 3)))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_u (local.get $i51) (local.get $all.bytes))))
            (local.set $v52
              (f64x2.sub
                (local.get $positions:all.central:k@0@0)
                (v128.load align=4 (i32.add (local.get $all.x) (local.get $i51)))))
            (local.set $v53
              (f64x2.sub
                (local.get $positions:all.central:k@0@8)
                (v128.load align=4 (i32.add (local.get $all.y) (local.get $i51)))))
            (local.set $v54
              (f64x2.sub
                (local.get $positions:all.central:k@0@16)
                (v128.load align=4 (i32.add (local.get $all.z) (local.get $i51)))))
            (local.set $v55
              (f64x2.sub
                (local.get $v52)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v52) (local.get $images.dual0.lanes)))
                  (local.get $images.basis0.lanes))))
            (local.set $v56
              (f64x2.sub
                (local.get $v53)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v53) (local.get $images.dual4.lanes)))
                  (local.get $images.basis4.lanes))))
            (local.set $v57
              (f64x2.sub
                (local.get $v54)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v54) (local.get $images.dual8.lanes)))
                  (local.get $images.basis8.lanes))))
            (local.set $v58
              (f64x2.add
                (f64x2.add
                  (f64x2.mul (local.get $v55) (local.get $v55))
                  (f64x2.mul (local.get $v56) (local.get $v56)))
                (f64x2.mul (local.get $v57) (local.get $v57))))
            (local.set $v59 (f64x2.lt (local.get $v58) (local.get $cutoff2.lanes)))
            (local.set $v60
              (f64x2.sub
                (local.get $positions:all.central:k@0@0)
                (v128.load offset=16 align=4 (i32.add (local.get $all.x) (local.get $i51)))))
            (local.set $v61
              (f64x2.sub
                (local.get $positions:all.central:k@0@8)
                (v128.load offset=16 align=4 (i32.add (local.get $all.y) (local.get $i51)))))
            (local.set $v62
              (f64x2.sub
                (local.get $positions:all.central:k@0@16)
                (v128.load offset=16 align=4 (i32.add (local.get $all.z) (local.get $i51)))))
            (local.set $v63
              (f64x2.sub
                (local.get $v60)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v60) (local.get $images.dual0.lanes)))
                  (local.get $images.basis0.lanes))))
            (local.set $v64
              (f64x2.sub
                (local.get $v61)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v61) (local.get $images.dual4.lanes)))
                  (local.get $images.basis4.lanes))))
            (local.set $v65
              (f64x2.sub
                (local.get $v62)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v62) (local.get $images.dual8.lanes)))
                  (local.get $images.basis8.lanes))))
            (local.set $v66
              (f64x2.add
                (f64x2.add
                  (f64x2.mul (local.get $v63) (local.get $v63))
                  (f64x2.mul (local.get $v64) (local.get $v64)))
                (f64x2.mul (local.get $v65) (local.get $v65))))
            (local.set $v67 (f64x2.lt (local.get $v66) (local.get $cutoff2.lanes)))
            (local.set $i68 (i32.add (local.get $i51) (i32.const 32)))
            (if
              (v128.any_true (v128.or (local.get $v59) (local.get $v67)))
              (then
                (local.set $i69
                  (i32.sub
                    (local.get $i68)
                    (i32.shl (i32.eqz (v128.any_true (local.get $v67))) (i32.const 4))))
                (local.set $i51
                  (i32.add
                    (local.get $i51)
                    (i32.shl (i32.eqz (v128.any_true (local.get $v59))) (i32.const 4))))
                (loop $b4
                  (local.set $v70
                    (f64x2.sub
                      (local.get $positions:all.central:k@0@0)
                      (v128.load align=4 (i32.add (local.get $all.x) (local.get $i51)))))
                  (local.set $v71
                    (f64x2.sub
                      (local.get $positions:all.central:k@0@8)
                      (v128.load align=4 (i32.add (local.get $all.y) (local.get $i51)))))
                  (local.set $v72
                    (f64x2.sub
                      (local.get $positions:all.central:k@0@16)
                      (v128.load align=4 (i32.add (local.get $all.z) (local.get $i51)))))
                  (local.set $v73
                    (f64x2.sub
                      (local.get $v70)
                      (f64x2.mul
                        (f64x2.nearest (f64x2.mul (local.get $v70) (local.get $images.dual0.lanes)))
                        (local.get $images.basis0.lanes))))
                  (local.set $v74
                    (f64x2.sub
                      (local.get $v71)
                      (f64x2.mul
                        (f64x2.nearest (f64x2.mul (local.get $v71) (local.get $images.dual4.lanes)))
                        (local.get $images.basis4.lanes))))
                  (local.set $v75
                    (f64x2.sub
                      (local.get $v72)
                      (f64x2.mul
                        (f64x2.nearest (f64x2.mul (local.get $v72) (local.get $images.dual8.lanes)))
                        (local.get $images.basis8.lanes))))
                  (local.set $v76
                    (f64x2.add
                      (f64x2.add
                        (f64x2.mul (local.get $v73) (local.get $v73))
                        (f64x2.mul (local.get $v74) (local.get $v74)))
                      (f64x2.mul (local.get $v75) (local.get $v75))))
                  (local.set $v77
                    (i64x2.extend_low_i32x4_s
                      (v128.load64_zero
                        (i32.add
                          (local.get $all.rows)
                          (i32.shl (i32.shr_u (local.get $i51) (i32.const 3)) (i32.const 2))))))
                  (local.set $v79
                    (v128.and
                      (f64x2.lt (local.get $v76) (local.get $cutoff2.lanes))
                      (i64x2.gt_s
                        (i64x2.add
                          (i64x2.splat (i64.extend_i32_s (i32.shr_u (local.get $i51) (i32.const 3))))
                          (local.get $constant))
                        (i64x2.splat (i64.extend_i32_s (local.get $k))))))
                  (if
                    (v128.any_true (local.get $v79))
                    (then
                      (local.set $i80 (i32.wrap_i64 (i64x2.extract_lane 0 (local.get $v77))))
                      (local.set $i81 (i32.wrap_i64 (i64x2.extract_lane 1 (local.get $v77))))
                      (block $b5)
                      (block $b6
                        (local.set $inverse
                          (f64x2.div
                            (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                            (local.get $v76)))
                        (local.set $s2 (f64x2.mul (local.get $p.sigma2.lanes) (local.get $inverse)))
                        (local.set $s6
                          (f64x2.mul (f64x2.mul (local.get $s2) (local.get $s2)) (local.get $s2)))
                        (local.set $f
                          (f64x2.mul
                            (f64x2.mul
                              (f64x2.mul (local.get $v42) (local.get $s6))
                              (f64x2.sub
                                (f64x2.mul
                                  (v128.const i32x4 0x00000000 0x40000000 0x00000000 0x40000000)
                                  (local.get $s6))
                                (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)))
                            (local.get $inverse)))
                        (local.set $give.fx
                          (v128.and (f64x2.mul (local.get $f) (local.get $v73)) (local.get $v79)))
                        (local.set $give.fy
                          (v128.and (f64x2.mul (local.get $f) (local.get $v74)) (local.get $v79)))
                        (local.set $give.fz
                          (v128.and (f64x2.mul (local.get $f) (local.get $v75)) (local.get $v79)))
                        (local.set $give.ep
                          (v128.and
                            (f64x2.mul
                              (f64x2.mul (local.get $v44) (local.get $s6))
                              (f64x2.sub
                                (local.get $s6)
                                (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)))
                            (local.get $v79))))
                      (local.set $v23 (f64x2.add (local.get $v23) (local.get $give.fx)))
                      (local.set $v24 (f64x2.add (local.get $v24) (local.get $give.fy)))
                      (local.set $v25 (f64x2.add (local.get $v25) (local.get $give.fz)))
                      (local.set $v26 (f64x2.add (local.get $v26) (local.get $give.ep)))
                      (local.set $i86
                        (i32.add
                          (local.get $threads:thread@24)
                          (i32.shl (local.get $i80) (i32.const 5))))
                      (local.set $i87
                        (i32.add
                          (local.get $threads:thread@24)
                          (i32.shl (local.get $i81) (i32.const 5))))
                      (v128.store align=4
                        (local.get $i86)
                        (f64x2.sub
                          (v128.load align=4 (local.get $i86))
                          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                            (local.get $give.fx)
                            (local.get $give.fy))))
                      (v128.store align=4
                        (local.get $i87)
                        (f64x2.sub
                          (v128.load align=4 (local.get $i87))
                          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                            (local.get $give.fx)
                            (local.get $give.fy))))
                      (v128.store offset=16 align=4
                        (local.get $i86)
                        (f64x2.sub
                          (v128.load offset=16 align=4 (local.get $i86))
                          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                            (local.get $give.fz)
                            (f64x2.neg (local.get $give.ep)))))
                      (v128.store offset=16 align=4
                        (local.get $i87)
                        (f64x2.sub
                          (v128.load offset=16 align=4 (local.get $i87))
                          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                            (local.get $give.fz)
                            (f64x2.neg (local.get $give.ep)))))))
                  (local.set $i51 (i32.add (local.get $i51) (i32.const 16)))
                  (br_if $b4 (i32.lt_u (local.get $i51) (local.get $i69))))))
            (local.set $i51 (local.get $i68))
            (br $b3)))
        (local.set $i88
          (i32.add
            (local.get $threads:thread@24)
            (i32.shl (local.get $all.central:k@0) (i32.const 5))))
        (f64.store
          (local.get $i88)
          (f64.add
            (f64.load (local.get $i88))
            (f64.add
              (f64x2.extract_lane 0 (local.get $v23))
              (f64x2.extract_lane 1 (local.get $v23)))))
        (f64.store offset=8
          (local.get $i88)
          (f64.add
            (f64.load offset=8 (local.get $i88))
            (f64.add
              (f64x2.extract_lane 0 (local.get $v24))
              (f64x2.extract_lane 1 (local.get $v24)))))
        (f64.store offset=16
          (local.get $i88)
          (f64.add
            (f64.load offset=16 (local.get $i88))
            (f64.add
              (f64x2.extract_lane 0 (local.get $v25))
              (f64x2.extract_lane 1 (local.get $v25)))))
        (f64.store offset=24
          (local.get $i88)
          (f64.add
            (f64.load offset=24 (local.get $i88))
            (f64.add
              (f64x2.extract_lane 0 (local.get $v26))
              (f64x2.extract_lane 1 (local.get $v26)))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))))
