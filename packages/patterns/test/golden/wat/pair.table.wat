;; spring
;;
;; Pair functor 'spring' over entries begin … end − 1 of a full neighbor list, two neighbors at a time.
;;   measure   displacements and their squares go to scratch memory
;;   compute   the functor runs where r² is below the square of the cutoff
;;   store     sums over the lanes go to the row of the particle
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread#2 i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $cutoff2#2 v128)
    (local $threads i32) (local $thread i32) (local $entries i32) (local $indices i32)
    (local $base i32) (local $to.force i32) (local $j.type i32) (local $last.strength i32)
    (local $v16 v128) (local $p.strength i32) (local $sum.fx v128) (local $sum.fy v128)
    (local $sum.fz v128) (local $scratch i32) (local $entry i32) (local $lastEntry i32)
    (local $i24 i32) (local $i25 i32) (local $i26 i32) (local $i27 i32) (local $i28 i32)
    (local $v29 v128) (local $v30 v128) (local $v31 v128) (local $v32 v128) (local $v33 v128)
    (local $i34 i32) (local $i35 i32) (local $i36 i32) (local $i37 i32) (local $i38 i32)
    (local $v39 v128) (local $v40 v128) (local $v41 v128) (local $v42 v128) (local $v43 v128)
    (local $v44 v128) (local $v45 v128) (local $factor v128) (local $i47 i32) (local $i48 i32)
    (local $v49 v128) (local $v50 v128) (local $v51 v128) (local $f v128) (local $v53 v128)
    (local $i54 i32) (local $v55 v128) (local $v56 v128) (local $v57 v128) (local $v58 v128)
    (local $v59 v128) (local $v60 v128) (local $factor#2 v128) (local $i62 i32) (local $i63 i32)
    (local $v64 v128) (local $v65 v128) (local $v66 v128) (local $f#2 v128) (local $v68 v128)
    (local $i69 i32) (local $i70 i32) (local $i71 i32) (local $i72 i32) (local $v73 v128)
    (local $v74 v128) (local $v75 v128) (local $v76 v128) (local $v77 v128) (local $v78 v128)
    (local $i79 i32) (local $i80 i32) (local $i81 i32) (local $i82 i32) (local $v83 v128)
    (local $v84 v128) (local $v85 v128) (local $v86 v128) (local $v87 v128) (local $v88 v128)
    (local $i89 i32) (local $i90 i32)
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
    (local.set $j.type (i32.load offset=32 (local.get $args)))
    (local.set $last.strength (i32.load offset=40 (local.get $args)))
    (local.set $v16 (i32x4.splat (local.get $last.strength)))
    (local.set $p.strength (i32.load offset=48 (local.get $args)))
    (local.set $scratch (i32.load offset=16 (local.get $thread)))
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
        (local.set $i24 (i32.load (local.get $entry)))
        (local.set $i25
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=8 (local.get $entry)) (i32.const 2))))
        (local.set $i26
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=12 (local.get $entry)) (i32.const 2))))
        (local.set $i27
          (i32.add (local.get $positions) (i32.shl (i32.load (local.get $entry)) (i32.const 5))))
        (local.set $i28
          (i32.add
            (local.get $shifts)
            (i32.shl (i32.load offset=4 (local.get $entry)) (i32.const 5))))
        (local.set $v29
          (f64x2.add (v128.load align=4 (local.get $i27)) (v128.load align=4 (local.get $i28))))
        (local.set $v30
          (f64x2.add
            (v128.load offset=16 align=4 (local.get $i27))
            (v128.load offset=16 align=4 (local.get $i28))))
        (local.set $v31
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v29) (local.get $v29)))
        (local.set $v32
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15
            (local.get $v29)
            (local.get $v29)))
        (local.set $v33
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v30) (local.get $v30)))
        (local.set $sum.fx (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fy (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fz (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $i34 (local.get $i25))
        (local.set $i35 (i32.add (local.get $scratch) (i32.const 576)))
        (block $b7
          (loop $b8
            (br_if $b7 (i32.eqz (i32.lt_u (local.get $i34) (local.get $i26))))
            (local.set $i37 (local.get $i34))
            (local.set $i38 (i32.add (local.get $i34) (i32.const 512)))
            (if
              (i32.gt_u (local.get $i38) (local.get $i26))
              (then
                (local.set $i38 (local.get $i26))))
            ;; measure: displacements of a part of the run
            (local.set $i36 (local.get $i35))
            (loop $b9
              (local.set $i69 (i32.load (local.get $i34)))
              (local.set $i79 (i32.load offset=8 (local.get $i34)))
              (local.set $i70 (i32.load offset=4 (local.get $i34)))
              (local.set $i80 (i32.load offset=12 (local.get $i34)))
              (local.set $i71
                (i32.add (local.get $positions) (i32.shl (local.get $i69) (i32.const 5))))
              (local.set $i81
                (i32.add (local.get $positions) (i32.shl (local.get $i79) (i32.const 5))))
              (local.set $i72
                (i32.add (local.get $positions) (i32.shl (local.get $i70) (i32.const 5))))
              (local.set $i82
                (i32.add (local.get $positions) (i32.shl (local.get $i80) (i32.const 5))))
              (local.set $v73 (v128.load align=4 (local.get $i71)))
              (local.set $v83 (v128.load align=4 (local.get $i81)))
              (local.set $v74 (v128.load align=4 (local.get $i72)))
              (local.set $v84 (v128.load align=4 (local.get $i82)))
              (local.set $v75
                (f64x2.sub
                  (local.get $v31)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v73)
                    (local.get $v74))))
              (local.set $v85
                (f64x2.sub
                  (local.get $v31)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v83)
                    (local.get $v84))))
              (local.set $v76
                (f64x2.sub
                  (local.get $v32)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v73)
                    (local.get $v74))))
              (local.set $v86
                (f64x2.sub
                  (local.get $v32)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v83)
                    (local.get $v84))))
              (local.set $v77
                (f64x2.sub
                  (local.get $v33)
                  (v128.load64_lane offset=16 1
                    (local.get $i72)
                    (v128.load64_zero offset=16 (local.get $i71)))))
              (local.set $v87
                (f64x2.sub
                  (local.get $v33)
                  (v128.load64_lane offset=16 1
                    (local.get $i82)
                    (v128.load64_zero offset=16 (local.get $i81)))))
              (local.set $v78
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $v75) (local.get $v75))
                    (f64x2.mul (local.get $v76) (local.get $v76)))
                  (f64x2.mul (local.get $v77) (local.get $v77))))
              (local.set $v88
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $v85) (local.get $v85))
                    (f64x2.mul (local.get $v86) (local.get $v86)))
                  (f64x2.mul (local.get $v87) (local.get $v87))))
              (v128.store align=4 (local.get $i36) (local.get $v75))
              (v128.store offset=16 align=4 (local.get $i36) (local.get $v85))
              (v128.store offset=1728 align=4 (local.get $i36) (local.get $v76))
              (v128.store offset=1744 align=4 (local.get $i36) (local.get $v86))
              (v128.store offset=3456 align=4 (local.get $i36) (local.get $v77))
              (v128.store offset=3472 align=4 (local.get $i36) (local.get $v87))
              (v128.store offset=5184 align=4 (local.get $i36) (local.get $v78))
              (v128.store offset=5200 align=4 (local.get $i36) (local.get $v88))
              (local.set $i36 (i32.add (local.get $i36) (i32.const 32)))
              (local.set $i34 (i32.add (local.get $i34) (i32.const 16)))
              (br_if $b9 (i32.lt_u (local.get $i34) (local.get $i38))))
            ;; compute: the functor
            (local.set $i54 (local.get $i36))
            (local.set $i36 (local.get $i35))
            (local.set $i34 (local.get $i37))
            (loop $b6
              (local.set $v40 (v128.load align=4 (local.get $i36)))
              (local.set $v55 (v128.load offset=16 align=4 (local.get $i36)))
              (local.set $v41 (v128.load offset=1728 align=4 (local.get $i36)))
              (local.set $v56 (v128.load offset=1744 align=4 (local.get $i36)))
              (local.set $v42 (v128.load offset=3456 align=4 (local.get $i36)))
              (local.set $v57 (v128.load offset=3472 align=4 (local.get $i36)))
              (local.set $v43 (v128.load offset=5184 align=4 (local.get $i36)))
              (local.set $v58 (v128.load offset=5200 align=4 (local.get $i36)))
              (local.set $v45 (f64x2.lt (local.get $v43) (local.get $cutoff2#2)))
              (local.set $v60 (f64x2.lt (local.get $v58) (local.get $cutoff2#2)))
              (local.set $i47 (i32.load (local.get $i34)))
              (local.set $i62 (i32.load offset=8 (local.get $i34)))
              (local.set $i48 (i32.load offset=4 (local.get $i34)))
              (local.set $i63 (i32.load offset=12 (local.get $i34)))
              (local.set $v49
                (v128.load32_lane 1
                  (i32.add (local.get $j.type) (i32.shl (local.get $i48) (i32.const 2)))
                  (v128.load32_zero
                    (i32.add (local.get $j.type) (i32.shl (local.get $i47) (i32.const 2))))))
              (local.set $v64
                (v128.load32_lane 1
                  (i32.add (local.get $j.type) (i32.shl (local.get $i63) (i32.const 2)))
                  (v128.load32_zero
                    (i32.add (local.get $j.type) (i32.shl (local.get $i62) (i32.const 2))))))
              (local.set $v50 (i32x4.min_u (local.get $v49) (local.get $v16)))
              (local.set $v65 (i32x4.min_u (local.get $v64) (local.get $v16)))
              (local.set $v51
                (v128.load64_lane 1
                  (i32.add
                    (local.get $p.strength)
                    (i32.shl (i32x4.extract_lane 1 (local.get $v50)) (i32.const 3)))
                  (v128.load64_zero
                    (i32.add
                      (local.get $p.strength)
                      (i32.shl (i32x4.extract_lane 0 (local.get $v50)) (i32.const 3))))))
              (local.set $v66
                (v128.load64_lane 1
                  (i32.add
                    (local.get $p.strength)
                    (i32.shl (i32x4.extract_lane 1 (local.get $v65)) (i32.const 3)))
                  (v128.load64_zero
                    (i32.add
                      (local.get $p.strength)
                      (i32.shl (i32x4.extract_lane 0 (local.get $v65)) (i32.const 3))))))
              (local.set $f (local.get $v51))
              (local.set $f#2 (local.get $v66))
              (local.set $v53 (v128.and (local.get $f) (local.get $v45)))
              (local.set $v68 (v128.and (local.get $f#2) (local.get $v60)))
              (local.set $sum.fx
                (f64x2.sub (local.get $sum.fx) (f64x2.mul (local.get $v53) (local.get $v40))))
              (local.set $sum.fx
                (f64x2.sub (local.get $sum.fx) (f64x2.mul (local.get $v68) (local.get $v55))))
              (local.set $sum.fy
                (f64x2.sub (local.get $sum.fy) (f64x2.mul (local.get $v53) (local.get $v41))))
              (local.set $sum.fy
                (f64x2.sub (local.get $sum.fy) (f64x2.mul (local.get $v68) (local.get $v56))))
              (local.set $sum.fz
                (f64x2.sub (local.get $sum.fz) (f64x2.mul (local.get $v53) (local.get $v42))))
              (local.set $sum.fz
                (f64x2.sub (local.get $sum.fz) (f64x2.mul (local.get $v68) (local.get $v57))))
              (local.set $i36 (i32.add (local.get $i36) (i32.const 32)))
              (local.set $i34 (i32.add (local.get $i34) (i32.const 16)))
              (br_if $b6 (i32.lt_u (local.get $i36) (local.get $i54))))
            (local.set $i34 (local.get $i38))
            (br $b8)))
        (local.set $i89 (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $i90 (i32.add (local.get $to.force) (i32.shl (local.get $i89) (i32.const 5))))
        (f64.store
          (local.get $i90)
          (f64.add
            (f64.load (local.get $i90))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fx))
              (f64x2.extract_lane 1 (local.get $sum.fx)))))
        (f64.store offset=8
          (local.get $i90)
          (f64.add
            (f64.load offset=8 (local.get $i90))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fy))
              (f64x2.extract_lane 1 (local.get $sum.fy)))))
        (f64.store offset=16
          (local.get $i90)
          (f64.add
            (f64.load offset=16 (local.get $i90))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fz))
              (f64x2.extract_lane 1 (local.get $sum.fz)))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
        (br $b1)))))
