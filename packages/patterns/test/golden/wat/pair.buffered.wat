;; attract
;;
;; Pair functor 'attract' over entries begin … end − 1 of a half neighbor list, two neighbors at a time.
;;   pack      neighbors within the cutoff move to the front, so that vectors are full
;;   measure   displacements and their squares go to scratch memory
;;   compute   the functor runs where r² is below the square of the cutoff
;;   scatter   neighbors receive their share
;;   store     sums over the lanes go to the row of the particle
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread#2 i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $cutoff2#2 v128)
    (local $threads i32) (local $thread i32) (local $entries i32) (local $indices i32)
    (local $base i32) (local $to.force i32) (local $p.sigma2 f64) (local $v15 v128)
    (local $p.epsilon f64) (local $v17 v128) (local $sum.fx v128) (local $sum.fy v128)
    (local $sum.fz v128) (local $scratch i32) (local $i22 i32) (local $compress i32)
    (local $d24 f64) (local $v25 v128) (local $entry i32) (local $lastEntry i32) (local $i28 i32)
    (local $i29 i32) (local $i30 i32) (local $i31 i32) (local $i32 i32) (local $v33 v128)
    (local $v34 v128) (local $v35 v128) (local $v36 v128) (local $v37 v128) (local $i38 i32)
    (local $i39 i32) (local $i40 i32) (local $i41 i32) (local $i42 i32) (local $i43 i32)
    (local $v44 v128) (local $v45 v128) (local $v46 v128) (local $v47 v128) (local $v48 v128)
    (local $v49 v128) (local $i50 i32) (local $i51 i32) (local $v52 v128) (local $v53 v128)
    (local $v54 v128) (local $v55 v128) (local $v56 v128) (local $v57 v128) (local $i58 i32)
    (local $i59 i32) (local $i60 i32) (local $i61 i32) (local $i62 i32) (local $i63 i32)
    (local $v64 v128) (local $v65 v128) (local $v66 v128) (local $v67 v128) (local $v68 v128)
    (local $v69 v128) (local $v70 v128) (local $give.fx v128) (local $give.fy v128)
    (local $give.fz v128) (local $factor v128) (local $inverse v128) (local $s2 v128)
    (local $s6 v128) (local $f v128) (local $i79 i32) (local $v80 v128) (local $v81 v128)
    (local $v82 v128) (local $v83 v128) (local $v84 v128) (local $v85 v128) (local $give.fx#2 v128)
    (local $give.fy#2 v128) (local $give.fz#2 v128) (local $factor#2 v128) (local $inverse#2 v128)
    (local $s2#2 v128) (local $s6#2 v128) (local $f#2 v128) (local $i94 i32) (local $i95 i32)
    (local $v96 v128) (local $v97 v128) (local $v98 v128) (local $v99 v128) (local $i100 i32)
    (local $i101 i32) (local $i102 i32) (local $i103 i32) (local $v104 v128) (local $v105 v128)
    (local $v106 v128) (local $v107 v128) (local $i108 i32) (local $i109 i32) (local $i110 i32)
    (local $i111 i32) (local $i112 i32) (local $i113 i32) (local $v114 v128) (local $v115 v128)
    (local $v116 v128) (local $v117 v128) (local $v118 v128) (local $v119 v128) (local $i120 i32)
    (local $i121 i32) (local $i122 i32) (local $i123 i32) (local $v124 v128) (local $v125 v128)
    (local $v126 v128) (local $v127 v128) (local $v128 v128) (local $v129 v128) (local $i130 i32)
    (local $i131 i32)
    (local.set $positions (i32.load (local.get $args)))
    (local.set $shifts (i32.load offset=8 (local.get $args)))
    (local.set $cutoff2 (f64.load offset=16 (local.get $args)))
    (local.set $cutoff2#2 (f64x2.splat (local.get $cutoff2)))
    (local.set $threads (i32.load offset=24 (local.get $args)))
    (local.set $thread
      (i32.add (local.get $threads) (i32.mul (local.get $thread#2) (i32.const 28))))
    (local.set $entries (i32.load (local.get $thread)))
    (local.set $indices (i32.load offset=4 (local.get $thread)))
    (local.set $base (i32.load offset=8 (local.get $thread)))
    (local.set $to.force (i32.load offset=24 (local.get $thread)))
    (local.set $p.sigma2 (f64.load offset=32 (local.get $args)))
    (local.set $v15 (f64x2.splat (local.get $p.sigma2)))
    (local.set $p.epsilon (f64.load offset=40 (local.get $args)))
    (local.set $v17 (f64x2.splat (local.get $p.epsilon)))
    (local.set $scratch (i32.load offset=16 (local.get $thread)))
    (local.set $i22 (i32.load offset=20 (local.get $thread)))
    (local.set $compress (i32.load offset=48 (local.get $args)))
    (local.set $d24 (f64.mul (f64.const 24) (local.get $p.epsilon)))
    (local.set $v25 (f64x2.splat (local.get $d24)))
    ;; the entries of this call: {i, image, first, end} each
    (local.set $entry
      (i32.add
        (local.get $entries)
        (i32.shl (i32.sub (local.get $begin) (local.get $base)) (i32.const 4))))
    (local.set $lastEntry
      (i32.add
        (local.get $entries)
        (i32.shl (i32.sub (local.get $end) (local.get $base)) (i32.const 4))))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_u (local.get $entry) (local.get $lastEntry))))
        (local.set $i28 (i32.load (local.get $entry)))
        (local.set $i29
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=8 (local.get $entry)) (i32.const 2))))
        (local.set $i30
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=12 (local.get $entry)) (i32.const 2))))
        (local.set $i31
          (i32.add (local.get $positions) (i32.shl (i32.load (local.get $entry)) (i32.const 5))))
        (local.set $i32
          (i32.add
            (local.get $shifts)
            (i32.shl (i32.load offset=4 (local.get $entry)) (i32.const 5))))
        (local.set $v33
          (f64x2.add (v128.load align=4 (local.get $i31)) (v128.load align=4 (local.get $i32))))
        (local.set $v34
          (f64x2.add
            (v128.load offset=16 align=4 (local.get $i31))
            (v128.load offset=16 align=4 (local.get $i32))))
        (local.set $v35
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v33) (local.get $v33)))
        (local.set $v36
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15
            (local.get $v33)
            (local.get $v33)))
        (local.set $v37
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v34) (local.get $v34)))
        (local.set $sum.fx (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fy (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fz (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $i38 (local.get $i29))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_u (local.get $i38) (local.get $i30))))
            (local.set $i39 (local.get $scratch))
            (local.set $i40 (i32.add (local.get $i38) (i32.const 512)))
            (local.set $i41
              (select
                (local.get $i40)
                (local.get $i30)
                (i32.lt_u (local.get $i40) (local.get $i30))))
            (loop $b4
              (local.set $i42
                (i32.add (local.get $positions) (i32.shl (i32.load (local.get $i38)) (i32.const 5))))
              (local.set $i43
                (i32.add
                  (local.get $positions)
                  (i32.shl (i32.load offset=4 (local.get $i38)) (i32.const 5))))
              (local.set $v44 (v128.load align=4 (local.get $i42)))
              (local.set $v45 (v128.load align=4 (local.get $i43)))
              (local.set $v46
                (f64x2.sub
                  (local.get $v35)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v44)
                    (local.get $v45))))
              (local.set $v47
                (f64x2.sub
                  (local.get $v36)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v44)
                    (local.get $v45))))
              (local.set $v48
                (f64x2.sub
                  (local.get $v37)
                  (v128.load64_lane offset=16 1
                    (local.get $i43)
                    (v128.load64_zero offset=16 (local.get $i42)))))
              (local.set $v49
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $v46) (local.get $v46))
                    (f64x2.mul (local.get $v47) (local.get $v47)))
                  (f64x2.mul (local.get $v48) (local.get $v48))))
              (local.set $i50
                (i32.add
                  (local.get $positions)
                  (i32.shl (i32.load offset=8 (local.get $i38)) (i32.const 5))))
              (local.set $i51
                (i32.add
                  (local.get $positions)
                  (i32.shl (i32.load offset=12 (local.get $i38)) (i32.const 5))))
              (local.set $v52 (v128.load align=4 (local.get $i50)))
              (local.set $v53 (v128.load align=4 (local.get $i51)))
              (local.set $v54
                (f64x2.sub
                  (local.get $v35)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v52)
                    (local.get $v53))))
              (local.set $v55
                (f64x2.sub
                  (local.get $v36)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v52)
                    (local.get $v53))))
              (local.set $v56
                (f64x2.sub
                  (local.get $v37)
                  (v128.load64_lane offset=16 1
                    (local.get $i51)
                    (v128.load64_zero offset=16 (local.get $i50)))))
              (local.set $v57
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $v54) (local.get $v54))
                    (f64x2.mul (local.get $v55) (local.get $v55)))
                  (f64x2.mul (local.get $v56) (local.get $v56))))
              (local.set $i58
                (i32.or
                  (i64x2.bitmask (f64x2.lt (local.get $v49) (local.get $cutoff2#2)))
                  (i32.shl
                    (i64x2.bitmask (f64x2.lt (local.get $v57) (local.get $cutoff2#2)))
                    (i32.const 2))))
              (v128.store align=4
                (local.get $i39)
                (i8x16.swizzle
                  (v128.load align=4 (local.get $i38))
                  (v128.load align=4
                    (i32.add (local.get $compress) (i32.shl (local.get $i58) (i32.const 4))))))
              (local.set $i39
                (i32.add (local.get $i39) (i32.shl (i32.popcnt (local.get $i58)) (i32.const 2))))
              (local.set $i38 (i32.add (local.get $i38) (i32.const 16)))
              (br_if $b4 (i32.lt_u (local.get $i38) (local.get $i41))))
            (v128.store align=4 (local.get $i39) (i32x4.splat (local.get $i22)))
            (local.set $i59 (local.get $scratch))
            (local.set $i60 (i32.add (local.get $scratch) (i32.const 576)))
            (block $b11
              (loop $b12
                (br_if $b11 (i32.eqz (i32.lt_u (local.get $i59) (local.get $i39))))
                (local.set $i62 (local.get $i59))
                (local.set $i63 (i32.add (local.get $i59) (i32.const 512)))
                (if
                  (i32.gt_u (local.get $i63) (local.get $i39))
                  (then
                    (local.set $i63 (local.get $i39))))
                ;; measure: displacements of a part of the run
                (local.set $i61 (local.get $i60))
                (loop $b13
                  (local.set $i110 (i32.load (local.get $i59)))
                  (local.set $i120 (i32.load offset=8 (local.get $i59)))
                  (local.set $i111 (i32.load offset=4 (local.get $i59)))
                  (local.set $i121 (i32.load offset=12 (local.get $i59)))
                  (local.set $i112
                    (i32.add (local.get $positions) (i32.shl (local.get $i110) (i32.const 5))))
                  (local.set $i122
                    (i32.add (local.get $positions) (i32.shl (local.get $i120) (i32.const 5))))
                  (local.set $i113
                    (i32.add (local.get $positions) (i32.shl (local.get $i111) (i32.const 5))))
                  (local.set $i123
                    (i32.add (local.get $positions) (i32.shl (local.get $i121) (i32.const 5))))
                  (local.set $v114 (v128.load align=4 (local.get $i112)))
                  (local.set $v124 (v128.load align=4 (local.get $i122)))
                  (local.set $v115 (v128.load align=4 (local.get $i113)))
                  (local.set $v125 (v128.load align=4 (local.get $i123)))
                  (local.set $v116
                    (f64x2.sub
                      (local.get $v35)
                      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                        (local.get $v114)
                        (local.get $v115))))
                  (local.set $v126
                    (f64x2.sub
                      (local.get $v35)
                      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                        (local.get $v124)
                        (local.get $v125))))
                  (local.set $v117
                    (f64x2.sub
                      (local.get $v36)
                      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                        (local.get $v114)
                        (local.get $v115))))
                  (local.set $v127
                    (f64x2.sub
                      (local.get $v36)
                      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                        (local.get $v124)
                        (local.get $v125))))
                  (local.set $v118
                    (f64x2.sub
                      (local.get $v37)
                      (v128.load64_lane offset=16 1
                        (local.get $i113)
                        (v128.load64_zero offset=16 (local.get $i112)))))
                  (local.set $v128
                    (f64x2.sub
                      (local.get $v37)
                      (v128.load64_lane offset=16 1
                        (local.get $i123)
                        (v128.load64_zero offset=16 (local.get $i122)))))
                  (local.set $v119
                    (f64x2.add
                      (f64x2.add
                        (f64x2.mul (local.get $v116) (local.get $v116))
                        (f64x2.mul (local.get $v117) (local.get $v117)))
                      (f64x2.mul (local.get $v118) (local.get $v118))))
                  (local.set $v129
                    (f64x2.add
                      (f64x2.add
                        (f64x2.mul (local.get $v126) (local.get $v126))
                        (f64x2.mul (local.get $v127) (local.get $v127)))
                      (f64x2.mul (local.get $v128) (local.get $v128))))
                  (v128.store offset=3456 align=4 (local.get $i61) (local.get $v116))
                  (v128.store offset=3472 align=4 (local.get $i61) (local.get $v126))
                  (v128.store offset=5184 align=4 (local.get $i61) (local.get $v117))
                  (v128.store offset=5200 align=4 (local.get $i61) (local.get $v127))
                  (v128.store offset=6912 align=4 (local.get $i61) (local.get $v118))
                  (v128.store offset=6928 align=4 (local.get $i61) (local.get $v128))
                  (v128.store offset=1728 align=4 (local.get $i61) (local.get $v119))
                  (v128.store offset=1744 align=4 (local.get $i61) (local.get $v129))
                  (local.set $i61 (i32.add (local.get $i61) (i32.const 32)))
                  (local.set $i59 (i32.add (local.get $i59) (i32.const 16)))
                  (br_if $b13 (i32.lt_u (local.get $i59) (local.get $i63))))
                ;; compute: the functor
                (local.set $i79 (local.get $i61))
                (local.set $i61 (local.get $i60))
                (loop $b9
                  (local.set $v68 (v128.load offset=1728 align=4 (local.get $i61)))
                  (local.set $v83 (v128.load offset=1744 align=4 (local.get $i61)))
                  (local.set $v70 (f64x2.lt (local.get $v68) (local.get $cutoff2#2)))
                  (local.set $v85 (f64x2.lt (local.get $v83) (local.get $cutoff2#2)))
                  (local.set $inverse
                    (f64x2.div
                      (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                      (local.get $v68)))
                  (local.set $inverse#2
                    (f64x2.div
                      (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                      (local.get $v83)))
                  (local.set $s2 (f64x2.mul (local.get $v15) (local.get $inverse)))
                  (local.set $s2#2 (f64x2.mul (local.get $v15) (local.get $inverse#2)))
                  (local.set $s6
                    (f64x2.mul (f64x2.mul (local.get $s2) (local.get $s2)) (local.get $s2)))
                  (local.set $s6#2
                    (f64x2.mul (f64x2.mul (local.get $s2#2) (local.get $s2#2)) (local.get $s2#2)))
                  (local.set $f
                    (f64x2.mul
                      (f64x2.mul
                        (f64x2.mul (local.get $v25) (local.get $s6))
                        (f64x2.sub
                          (f64x2.mul
                            (v128.const i32x4 0x00000000 0x40000000 0x00000000 0x40000000)
                            (local.get $s6))
                          (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)))
                      (local.get $inverse)))
                  (local.set $f#2
                    (f64x2.mul
                      (f64x2.mul
                        (f64x2.mul (local.get $v25) (local.get $s6#2))
                        (f64x2.sub
                          (f64x2.mul
                            (v128.const i32x4 0x00000000 0x40000000 0x00000000 0x40000000)
                            (local.get $s6#2))
                          (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)))
                      (local.get $inverse#2)))
                  (local.set $factor (v128.and (local.get $f) (local.get $v70)))
                  (local.set $factor#2 (v128.and (local.get $f#2) (local.get $v85)))
                  (v128.store align=4 (local.get $i61) (local.get $factor))
                  (v128.store offset=16 align=4 (local.get $i61) (local.get $factor#2))
                  (local.set $i61 (i32.add (local.get $i61) (i32.const 32)))
                  (br_if $b9 (i32.lt_u (local.get $i61) (local.get $i79))))
                ;; scatter: neighbors receive their share
                (local.set $i59 (local.get $i62))
                (local.set $i61 (local.get $i60))
                (loop $b10
                  (local.set $i94 (i32.load (local.get $i59)))
                  (local.set $i102 (i32.load offset=8 (local.get $i59)))
                  (local.set $i95 (i32.load offset=4 (local.get $i59)))
                  (local.set $i103 (i32.load offset=12 (local.get $i59)))
                  (local.set $v96 (v128.load align=4 (local.get $i61)))
                  (local.set $v104 (v128.load offset=16 align=4 (local.get $i61)))
                  (local.set $v97
                    (f64x2.mul (local.get $v96) (v128.load offset=3456 align=4 (local.get $i61))))
                  (local.set $v105
                    (f64x2.mul (local.get $v104) (v128.load offset=3472 align=4 (local.get $i61))))
                  (local.set $sum.fx (f64x2.add (local.get $sum.fx) (local.get $v97)))
                  (local.set $sum.fx (f64x2.add (local.get $sum.fx) (local.get $v105)))
                  (local.set $v98
                    (f64x2.mul (local.get $v96) (v128.load offset=5184 align=4 (local.get $i61))))
                  (local.set $v106
                    (f64x2.mul (local.get $v104) (v128.load offset=5200 align=4 (local.get $i61))))
                  (local.set $sum.fy (f64x2.add (local.get $sum.fy) (local.get $v98)))
                  (local.set $sum.fy (f64x2.add (local.get $sum.fy) (local.get $v106)))
                  (local.set $v99
                    (f64x2.mul (local.get $v96) (v128.load offset=6912 align=4 (local.get $i61))))
                  (local.set $v107
                    (f64x2.mul (local.get $v104) (v128.load offset=6928 align=4 (local.get $i61))))
                  (local.set $sum.fz (f64x2.add (local.get $sum.fz) (local.get $v99)))
                  (local.set $sum.fz (f64x2.add (local.get $sum.fz) (local.get $v107)))
                  (local.set $i100
                    (i32.add (local.get $to.force) (i32.shl (local.get $i94) (i32.const 5))))
                  (local.set $i108
                    (i32.add (local.get $to.force) (i32.shl (local.get $i102) (i32.const 5))))
                  (local.set $i101
                    (i32.add (local.get $to.force) (i32.shl (local.get $i95) (i32.const 5))))
                  (local.set $i109
                    (i32.add (local.get $to.force) (i32.shl (local.get $i103) (i32.const 5))))
                  (v128.store align=4
                    (local.get $i100)
                    (f64x2.sub
                      (v128.load align=4 (local.get $i100))
                      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                        (local.get $v97)
                        (local.get $v98))))
                  (v128.store align=4
                    (local.get $i108)
                    (f64x2.sub
                      (v128.load align=4 (local.get $i108))
                      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                        (local.get $v105)
                        (local.get $v106))))
                  (v128.store align=4
                    (local.get $i101)
                    (f64x2.sub
                      (v128.load align=4 (local.get $i101))
                      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                        (local.get $v97)
                        (local.get $v98))))
                  (v128.store align=4
                    (local.get $i109)
                    (f64x2.sub
                      (v128.load align=4 (local.get $i109))
                      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                        (local.get $v105)
                        (local.get $v106))))
                  (f64.store offset=16
                    (local.get $i100)
                    (f64.sub
                      (f64.load offset=16 (local.get $i100))
                      (f64x2.extract_lane 0 (local.get $v99))))
                  (f64.store offset=16
                    (local.get $i108)
                    (f64.sub
                      (f64.load offset=16 (local.get $i108))
                      (f64x2.extract_lane 0 (local.get $v107))))
                  (f64.store offset=16
                    (local.get $i101)
                    (f64.sub
                      (f64.load offset=16 (local.get $i101))
                      (f64x2.extract_lane 1 (local.get $v99))))
                  (f64.store offset=16
                    (local.get $i109)
                    (f64.sub
                      (f64.load offset=16 (local.get $i109))
                      (f64x2.extract_lane 1 (local.get $v107))))
                  (local.set $i59 (i32.add (local.get $i59) (i32.const 16)))
                  (local.set $i61 (i32.add (local.get $i61) (i32.const 32)))
                  (br_if $b10 (i32.lt_u (local.get $i59) (local.get $i63))))
                (local.set $i59 (local.get $i63))
                (br $b12)))
            (br $b3)))
        (local.set $i130 (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $i131 (i32.add (local.get $to.force) (i32.shl (local.get $i130) (i32.const 5))))
        (f64.store
          (local.get $i131)
          (f64.add
            (f64.load (local.get $i131))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fx))
              (f64x2.extract_lane 1 (local.get $sum.fx)))))
        (f64.store offset=8
          (local.get $i131)
          (f64.add
            (f64.load offset=8 (local.get $i131))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fy))
              (f64x2.extract_lane 1 (local.get $sum.fy)))))
        (f64.store offset=16
          (local.get $i131)
          (f64.add
            (f64.load offset=16 (local.get $i131))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fz))
              (f64x2.extract_lane 1 (local.get $sum.fz)))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
        (br $b1)))))
