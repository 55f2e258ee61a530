;; attract
;;
;; Pair functor 'attract' over entries begin … end − 1 of a half neighbor list, two neighbors at a time.
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
    (local $sum.fz v128) (local $scratch i32) (local $d22 f64) (local $v23 v128) (local $entry i32)
    (local $lastEntry i32) (local $i26 i32) (local $i27 i32) (local $i28 i32) (local $i29 i32)
    (local $i30 i32) (local $v31 v128) (local $v32 v128) (local $v33 v128) (local $v34 v128)
    (local $v35 v128) (local $i36 i32) (local $i37 i32) (local $i38 i32) (local $i39 i32)
    (local $i40 i32) (local $v41 v128) (local $v42 v128) (local $v43 v128) (local $v44 v128)
    (local $v45 v128) (local $v46 v128) (local $v47 v128) (local $give.fx v128)
    (local $give.fy v128) (local $give.fz v128) (local $factor v128) (local $inverse v128)
    (local $s2 v128) (local $s6 v128) (local $f v128) (local $i56 i32) (local $v57 v128)
    (local $v58 v128) (local $v59 v128) (local $v60 v128) (local $v61 v128) (local $v62 v128)
    (local $give.fx#2 v128) (local $give.fy#2 v128) (local $give.fz#2 v128) (local $factor#2 v128)
    (local $inverse#2 v128) (local $s2#2 v128) (local $s6#2 v128) (local $f#2 v128) (local $i71 i32)
    (local $i72 i32) (local $v73 v128) (local $v74 v128) (local $v75 v128) (local $v76 v128)
    (local $i77 i32) (local $i78 i32) (local $i79 i32) (local $i80 i32) (local $v81 v128)
    (local $v82 v128) (local $v83 v128) (local $v84 v128) (local $i85 i32) (local $i86 i32)
    (local $i87 i32) (local $i88 i32) (local $i89 i32) (local $i90 i32) (local $v91 v128)
    (local $v92 v128) (local $v93 v128) (local $v94 v128) (local $v95 v128) (local $v96 v128)
    (local $i97 i32) (local $i98 i32) (local $i99 i32) (local $i100 i32) (local $v101 v128)
    (local $v102 v128) (local $v103 v128) (local $v104 v128) (local $v105 v128) (local $v106 v128)
    (local $i107 i32) (local $i108 i32)
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
    (local.set $d22 (f64.mul (f64.const 24) (local.get $p.epsilon)))
    (local.set $v23 (f64x2.splat (local.get $d22)))
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
        (local.set $i26 (i32.load (local.get $entry)))
        (local.set $i27
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=8 (local.get $entry)) (i32.const 2))))
        (local.set $i28
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=12 (local.get $entry)) (i32.const 2))))
        (local.set $i29
          (i32.add (local.get $positions) (i32.shl (i32.load (local.get $entry)) (i32.const 5))))
        (local.set $i30
          (i32.add
            (local.get $shifts)
            (i32.shl (i32.load offset=4 (local.get $entry)) (i32.const 5))))
        (local.set $v31
          (f64x2.add (v128.load align=4 (local.get $i29)) (v128.load align=4 (local.get $i30))))
        (local.set $v32
          (f64x2.add
            (v128.load offset=16 align=4 (local.get $i29))
            (v128.load offset=16 align=4 (local.get $i30))))
        (local.set $v33
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v31) (local.get $v31)))
        (local.set $v34
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15
            (local.get $v31)
            (local.get $v31)))
        (local.set $v35
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v32) (local.get $v32)))
        (local.set $sum.fx (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fy (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fz (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $i36 (local.get $i27))
        (local.set $i37 (i32.add (local.get $scratch) (i32.const 576)))
        (block $b8
          (loop $b9
            (br_if $b8 (i32.eqz (i32.lt_u (local.get $i36) (local.get $i28))))
            (local.set $i39 (local.get $i36))
            (local.set $i40 (i32.add (local.get $i36) (i32.const 512)))
            (if
              (i32.gt_u (local.get $i40) (local.get $i28))
              (then
                (local.set $i40 (local.get $i28))))
            ;; measure: displacements of a part of the run
            (local.set $i38 (local.get $i37))
            (loop $b10
              (local.set $i87 (i32.load (local.get $i36)))
              (local.set $i97 (i32.load offset=8 (local.get $i36)))
              (local.set $i88 (i32.load offset=4 (local.get $i36)))
              (local.set $i98 (i32.load offset=12 (local.get $i36)))
              (local.set $i89
                (i32.add (local.get $positions) (i32.shl (local.get $i87) (i32.const 5))))
              (local.set $i99
                (i32.add (local.get $positions) (i32.shl (local.get $i97) (i32.const 5))))
              (local.set $i90
                (i32.add (local.get $positions) (i32.shl (local.get $i88) (i32.const 5))))
              (local.set $i100
                (i32.add (local.get $positions) (i32.shl (local.get $i98) (i32.const 5))))
              (local.set $v91 (v128.load align=4 (local.get $i89)))
              (local.set $v101 (v128.load align=4 (local.get $i99)))
              (local.set $v92 (v128.load align=4 (local.get $i90)))
              (local.set $v102 (v128.load align=4 (local.get $i100)))
              (local.set $v93
                (f64x2.sub
                  (local.get $v33)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v91)
                    (local.get $v92))))
              (local.set $v103
                (f64x2.sub
                  (local.get $v33)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v101)
                    (local.get $v102))))
              (local.set $v94
                (f64x2.sub
                  (local.get $v34)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v91)
                    (local.get $v92))))
              (local.set $v104
                (f64x2.sub
                  (local.get $v34)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v101)
                    (local.get $v102))))
              (local.set $v95
                (f64x2.sub
                  (local.get $v35)
                  (v128.load64_lane offset=16 1
                    (local.get $i90)
                    (v128.load64_zero offset=16 (local.get $i89)))))
              (local.set $v105
                (f64x2.sub
                  (local.get $v35)
                  (v128.load64_lane offset=16 1
                    (local.get $i100)
                    (v128.load64_zero offset=16 (local.get $i99)))))
              (local.set $v96
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $v93) (local.get $v93))
                    (f64x2.mul (local.get $v94) (local.get $v94)))
                  (f64x2.mul (local.get $v95) (local.get $v95))))
              (local.set $v106
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $v103) (local.get $v103))
                    (f64x2.mul (local.get $v104) (local.get $v104)))
                  (f64x2.mul (local.get $v105) (local.get $v105))))
              (v128.store offset=3456 align=4 (local.get $i38) (local.get $v93))
              (v128.store offset=3472 align=4 (local.get $i38) (local.get $v103))
              (v128.store offset=5184 align=4 (local.get $i38) (local.get $v94))
              (v128.store offset=5200 align=4 (local.get $i38) (local.get $v104))
              (v128.store offset=6912 align=4 (local.get $i38) (local.get $v95))
              (v128.store offset=6928 align=4 (local.get $i38) (local.get $v105))
              (v128.store offset=1728 align=4 (local.get $i38) (local.get $v96))
              (v128.store offset=1744 align=4 (local.get $i38) (local.get $v106))
              (local.set $i38 (i32.add (local.get $i38) (i32.const 32)))
              (local.set $i36 (i32.add (local.get $i36) (i32.const 16)))
              (br_if $b10 (i32.lt_u (local.get $i36) (local.get $i40))))
            ;; compute: the functor
            (local.set $i56 (local.get $i38))
            (local.set $i38 (local.get $i37))
            (loop $b6
              (local.set $v45 (v128.load offset=1728 align=4 (local.get $i38)))
              (local.set $v60 (v128.load offset=1744 align=4 (local.get $i38)))
              (local.set $v47 (f64x2.lt (local.get $v45) (local.get $cutoff2#2)))
              (local.set $v62 (f64x2.lt (local.get $v60) (local.get $cutoff2#2)))
              (local.set $inverse
                (f64x2.div
                  (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                  (local.get $v45)))
              (local.set $inverse#2
                (f64x2.div
                  (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                  (local.get $v60)))
              (local.set $s2 (f64x2.mul (local.get $v15) (local.get $inverse)))
              (local.set $s2#2 (f64x2.mul (local.get $v15) (local.get $inverse#2)))
              (local.set $s6
                (f64x2.mul (f64x2.mul (local.get $s2) (local.get $s2)) (local.get $s2)))
              (local.set $s6#2
                (f64x2.mul (f64x2.mul (local.get $s2#2) (local.get $s2#2)) (local.get $s2#2)))
              (local.set $f
                (f64x2.mul
                  (f64x2.mul
                    (f64x2.mul (local.get $v23) (local.get $s6))
                    (f64x2.sub
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x40000000 0x00000000 0x40000000)
                        (local.get $s6))
                      (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)))
                  (local.get $inverse)))
              (local.set $f#2
                (f64x2.mul
                  (f64x2.mul
                    (f64x2.mul (local.get $v23) (local.get $s6#2))
                    (f64x2.sub
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x40000000 0x00000000 0x40000000)
                        (local.get $s6#2))
                      (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)))
                  (local.get $inverse#2)))
              (local.set $factor (v128.and (local.get $f) (local.get $v47)))
              (local.set $factor#2 (v128.and (local.get $f#2) (local.get $v62)))
              (v128.store align=4 (local.get $i38) (local.get $factor))
              (v128.store offset=16 align=4 (local.get $i38) (local.get $factor#2))
              (local.set $i38 (i32.add (local.get $i38) (i32.const 32)))
              (br_if $b6 (i32.lt_u (local.get $i38) (local.get $i56))))
            ;; scatter: neighbors receive their share
            (local.set $i36 (local.get $i39))
            (local.set $i38 (local.get $i37))
            (loop $b7
              (local.set $i71 (i32.load (local.get $i36)))
              (local.set $i79 (i32.load offset=8 (local.get $i36)))
              (local.set $i72 (i32.load offset=4 (local.get $i36)))
              (local.set $i80 (i32.load offset=12 (local.get $i36)))
              (local.set $v73 (v128.load align=4 (local.get $i38)))
              (local.set $v81 (v128.load offset=16 align=4 (local.get $i38)))
              (local.set $v74
                (f64x2.mul (local.get $v73) (v128.load offset=3456 align=4 (local.get $i38))))
              (local.set $v82
                (f64x2.mul (local.get $v81) (v128.load offset=3472 align=4 (local.get $i38))))
              (local.set $sum.fx (f64x2.add (local.get $sum.fx) (local.get $v74)))
              (local.set $sum.fx (f64x2.add (local.get $sum.fx) (local.get $v82)))
              (local.set $v75
                (f64x2.mul (local.get $v73) (v128.load offset=5184 align=4 (local.get $i38))))
              (local.set $v83
                (f64x2.mul (local.get $v81) (v128.load offset=5200 align=4 (local.get $i38))))
              (local.set $sum.fy (f64x2.add (local.get $sum.fy) (local.get $v75)))
              (local.set $sum.fy (f64x2.add (local.get $sum.fy) (local.get $v83)))
              (local.set $v76
                (f64x2.mul (local.get $v73) (v128.load offset=6912 align=4 (local.get $i38))))
              (local.set $v84
                (f64x2.mul (local.get $v81) (v128.load offset=6928 align=4 (local.get $i38))))
              (local.set $sum.fz (f64x2.add (local.get $sum.fz) (local.get $v76)))
              (local.set $sum.fz (f64x2.add (local.get $sum.fz) (local.get $v84)))
              (local.set $i77
                (i32.add (local.get $to.force) (i32.shl (local.get $i71) (i32.const 5))))
              (local.set $i85
                (i32.add (local.get $to.force) (i32.shl (local.get $i79) (i32.const 5))))
              (local.set $i78
                (i32.add (local.get $to.force) (i32.shl (local.get $i72) (i32.const 5))))
              (local.set $i86
                (i32.add (local.get $to.force) (i32.shl (local.get $i80) (i32.const 5))))
              (v128.store align=4
                (local.get $i77)
                (f64x2.sub
                  (v128.load align=4 (local.get $i77))
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v74)
                    (local.get $v75))))
              (v128.store align=4
                (local.get $i85)
                (f64x2.sub
                  (v128.load align=4 (local.get $i85))
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v82)
                    (local.get $v83))))
              (v128.store align=4
                (local.get $i78)
                (f64x2.sub
                  (v128.load align=4 (local.get $i78))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v74)
                    (local.get $v75))))
              (v128.store align=4
                (local.get $i86)
                (f64x2.sub
                  (v128.load align=4 (local.get $i86))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v82)
                    (local.get $v83))))
              (f64.store offset=16
                (local.get $i77)
                (f64.sub
                  (f64.load offset=16 (local.get $i77))
                  (f64x2.extract_lane 0 (local.get $v76))))
              (f64.store offset=16
                (local.get $i85)
                (f64.sub
                  (f64.load offset=16 (local.get $i85))
                  (f64x2.extract_lane 0 (local.get $v84))))
              (f64.store offset=16
                (local.get $i78)
                (f64.sub
                  (f64.load offset=16 (local.get $i78))
                  (f64x2.extract_lane 1 (local.get $v76))))
              (f64.store offset=16
                (local.get $i86)
                (f64.sub
                  (f64.load offset=16 (local.get $i86))
                  (f64x2.extract_lane 1 (local.get $v84))))
              (local.set $i36 (i32.add (local.get $i36) (i32.const 16)))
              (local.set $i38 (i32.add (local.get $i38) (i32.const 32)))
              (br_if $b7 (i32.lt_u (local.get $i36) (local.get $i40))))
            (local.set $i36 (local.get $i40))
            (br $b9)))
        (local.set $i107 (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $i108 (i32.add (local.get $to.force) (i32.shl (local.get $i107) (i32.const 5))))
        (f64.store
          (local.get $i108)
          (f64.add
            (f64.load (local.get $i108))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fx))
              (f64x2.extract_lane 1 (local.get $sum.fx)))))
        (f64.store offset=8
          (local.get $i108)
          (f64.add
            (f64.load offset=8 (local.get $i108))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fy))
              (f64x2.extract_lane 1 (local.get $sum.fy)))))
        (f64.store offset=16
          (local.get $i108)
          (f64.add
            (f64.load offset=16 (local.get $i108))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fz))
              (f64x2.extract_lane 1 (local.get $sum.fz)))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
        (br $b1)))))
