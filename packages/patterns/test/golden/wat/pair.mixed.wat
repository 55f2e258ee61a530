;; attract
;;
;; Pair functor 'attract' over entries begin … end − 1 of a half neighbor list, four neighbors at a time.
;;   measure   displacements and their squares go to scratch memory
;;   compute   the functor runs where r² is below the square of the cutoff
;;   scatter   neighbors receive their share
;;   store     sums over the lanes go to the row of the particle
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread#2 i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $cutoff2#2 v128)
    (local $unit f64) (local $v9 v128) (local $v10 v128) (local $threads i32) (local $thread i32)
    (local $entries i32) (local $indices i32) (local $base i32) (local $to.force i32)
    (local $p.sigma2 f64) (local $s18 f32) (local $v19 v128) (local $p.epsilon f64) (local $s21 f32)
    (local $v22 v128) (local $v23 v128) (local $v24 v128) (local $sum.fx v128) (local $sum.fy v128)
    (local $sum.fz v128) (local $scratch i32) (local $s29 f32) (local $v30 v128) (local $entry i32)
    (local $lastEntry i32) (local $i33 i32) (local $i34 i32) (local $i35 i32) (local $i36 i32)
    (local $i37 i32) (local $v38 v128) (local $i39 i32) (local $i40 i32) (local $i41 i32)
    (local $i42 i32) (local $i43 i32) (local $v44 v128) (local $v45 v128) (local $v46 v128)
    (local $v47 v128) (local $v48 v128) (local $v49 v128) (local $v50 v128) (local $give.fx v128)
    (local $give.fy v128) (local $give.fz v128) (local $factor v128) (local $inverse v128)
    (local $s2 v128) (local $s6 v128) (local $f v128) (local $i59 i32) (local $i60 i32)
    (local $i61 i32) (local $i62 i32) (local $i63 i32) (local $i64 i32) (local $i65 i32)
    (local $i66 i32) (local $i67 i32) (local $v68 v128) (local $v69 v128) (local $v70 v128)
    (local $v71 v128) (local $v72 v128) (local $v73 v128) (local $v74 v128) (local $v75 v128)
    (local $v76 v128) (local $v77 v128) (local $v78 v128) (local $v79 v128) (local $v80 v128)
    (local $i81 i32) (local $i82 i32) (local $i83 i32) (local $i84 i32) (local $i85 i32)
    (local $i86 i32) (local $i87 i32) (local $i88 i32) (local $v89 v128) (local $v90 v128)
    (local $v91 v128) (local $v92 v128) (local $v93 v128) (local $v94 v128) (local $v95 v128)
    (local $v96 v128) (local $v97 v128) (local $v98 v128) (local $v99 v128) (local $v100 v128)
    (local $v101 v128) (local $v102 v128) (local $v103 v128) (local $v104 v128) (local $i105 i32)
    (local $i106 i32)
    (local.set $positions (i32.load (local.get $args)))
    (local.set $shifts (i32.load offset=8 (local.get $args)))
    (local.set $cutoff2 (f64.load offset=16 (local.get $args)))
    (local.set $cutoff2#2 (f32x4.splat (f32.demote_f64 (local.get $cutoff2))))
    (local.set $unit (f64.load offset=24 (local.get $args)))
    (local.set $v9 (f32x4.splat (f32.demote_f64 (local.get $unit))))
    (local.set $v10 (f32x4.mul (local.get $v9) (local.get $v9)))
    (local.set $threads (i32.load offset=32 (local.get $args)))
    (local.set $thread
      (i32.add (local.get $threads) (i32.mul (local.get $thread#2) (i32.const 28))))
    (local.set $entries (i32.load (local.get $thread)))
    (local.set $indices (i32.load offset=4 (local.get $thread)))
    (local.set $base (i32.load offset=8 (local.get $thread)))
    (local.set $to.force (i32.load offset=24 (local.get $thread)))
    (local.set $p.sigma2 (f64.load offset=40 (local.get $args)))
    (local.set $s18 (f32.demote_f64 (local.get $p.sigma2)))
    (local.set $v19 (f32x4.splat (local.get $s18)))
    (local.set $p.epsilon (f64.load offset=48 (local.get $args)))
    (local.set $s21 (f32.demote_f64 (local.get $p.epsilon)))
    (local.set $v22 (f32x4.splat (local.get $s21)))
    (local.set $scratch (i32.load offset=16 (local.get $thread)))
    (local.set $s29 (f32.mul (f32.const 24) (local.get $s21)))
    (local.set $v30 (f32x4.splat (local.get $s29)))
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
        (local.set $i33 (i32.load (local.get $entry)))
        (local.set $i34
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=8 (local.get $entry)) (i32.const 2))))
        (local.set $i35
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=12 (local.get $entry)) (i32.const 2))))
        (local.set $i36
          (i32.add (local.get $positions) (i32.shl (i32.load (local.get $entry)) (i32.const 4))))
        (local.set $i37
          (i32.add
            (local.get $shifts)
            (i32.shl (i32.load offset=4 (local.get $entry)) (i32.const 4))))
        (local.set $v38
          (i32x4.add (v128.load align=4 (local.get $i36)) (v128.load align=4 (local.get $i37))))
        (local.set $sum.fx (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fy (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fz (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v23 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v24 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $i39 (local.get $i34))
        (local.set $i40 (i32.add (local.get $scratch) (i32.const 576)))
        (block $b6
          (loop $b7
            (br_if $b6 (i32.eqz (i32.lt_u (local.get $i39) (local.get $i35))))
            (local.set $i42 (local.get $i39))
            (local.set $i43 (i32.add (local.get $i39) (i32.const 512)))
            (if
              (i32.gt_u (local.get $i43) (local.get $i35))
              (then
                (local.set $i43 (local.get $i35))))
            ;; measure: displacements of a part of the run
            (local.set $i41 (local.get $i40))
            (loop $b8
              (local.set $i81 (i32.load (local.get $i39)))
              (local.set $i82 (i32.load offset=4 (local.get $i39)))
              (local.set $i83 (i32.load offset=8 (local.get $i39)))
              (local.set $i84 (i32.load offset=12 (local.get $i39)))
              (local.set $i85
                (i32.add (local.get $positions) (i32.shl (local.get $i81) (i32.const 4))))
              (local.set $i86
                (i32.add (local.get $positions) (i32.shl (local.get $i82) (i32.const 4))))
              (local.set $i87
                (i32.add (local.get $positions) (i32.shl (local.get $i83) (i32.const 4))))
              (local.set $i88
                (i32.add (local.get $positions) (i32.shl (local.get $i84) (i32.const 4))))
              (local.set $v89
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $v38) (v128.load align=4 (local.get $i85)))))
              (local.set $v90
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $v38) (v128.load align=4 (local.get $i86)))))
              (local.set $v91
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $v38) (v128.load align=4 (local.get $i87)))))
              (local.set $v92
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $v38) (v128.load align=4 (local.get $i88)))))
              (local.set $v93
                (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                  (local.get $v89)
                  (local.get $v90)))
              (local.set $v94
                (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                  (local.get $v91)
                  (local.get $v92)))
              (local.set $v95
                (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                  (local.get $v89)
                  (local.get $v90)))
              (local.set $v96
                (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                  (local.get $v91)
                  (local.get $v92)))
              (local.set $v97
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (local.get $v93)
                  (local.get $v94)))
              (local.set $v98
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                  (local.get $v93)
                  (local.get $v94)))
              (local.set $v99
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (local.get $v95)
                  (local.get $v96)))
              (local.set $v100
                (f32x4.add
                  (f32x4.add
                    (f32x4.mul (local.get $v97) (local.get $v97))
                    (f32x4.mul (local.get $v98) (local.get $v98)))
                  (f32x4.mul (local.get $v99) (local.get $v99))))
              (local.set $v101 (f32x4.mul (local.get $v97) (local.get $v9)))
              (local.set $v102 (f32x4.mul (local.get $v98) (local.get $v9)))
              (local.set $v103 (f32x4.mul (local.get $v99) (local.get $v9)))
              (local.set $v104
                (f32x4.add
                  (f32x4.mul (local.get $v100) (local.get $v10))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v95)
                    (local.get $v96))))
              (v128.store offset=1728 align=4 (local.get $i41) (local.get $v104))
              (v128.store offset=3456 align=4 (local.get $i41) (local.get $v89))
              (v128.store offset=5184 align=4 (local.get $i41) (local.get $v90))
              (v128.store offset=6912 align=4 (local.get $i41) (local.get $v91))
              (v128.store offset=8640 align=4 (local.get $i41) (local.get $v92))
              (local.set $i41 (i32.add (local.get $i41) (i32.const 16)))
              (local.set $i39 (i32.add (local.get $i39) (i32.const 16)))
              (br_if $b8 (i32.lt_u (local.get $i39) (local.get $i43))))
            ;; compute: the functor
            (local.set $i59 (local.get $i41))
            (local.set $i41 (local.get $i40))
            (loop $b4
              (local.set $v48 (v128.load offset=1728 align=4 (local.get $i41)))
              (local.set $v50 (f32x4.lt (local.get $v48) (local.get $cutoff2#2)))
              (local.set $inverse
                (f32x4.div
                  (v128.const i32x4 0x3f800000 0x3f800000 0x3f800000 0x3f800000)
                  (local.get $v48)))
              (local.set $s2 (f32x4.mul (local.get $v19) (local.get $inverse)))
              (local.set $s6
                (f32x4.mul (f32x4.mul (local.get $s2) (local.get $s2)) (local.get $s2)))
              (local.set $f
                (f32x4.mul
                  (f32x4.mul
                    (f32x4.mul (local.get $v30) (local.get $s6))
                    (f32x4.sub
                      (f32x4.mul
                        (v128.const i32x4 0x40000000 0x40000000 0x40000000 0x40000000)
                        (local.get $s6))
                      (v128.const i32x4 0x3f800000 0x3f800000 0x3f800000 0x3f800000)))
                  (local.get $inverse)))
              (local.set $factor (v128.and (local.get $f) (local.get $v50)))
              (v128.store align=4 (local.get $i41) (local.get $factor))
              (local.set $i41 (i32.add (local.get $i41) (i32.const 16)))
              (br_if $b4 (i32.lt_u (local.get $i41) (local.get $i59))))
            ;; scatter: neighbors receive their share
            (local.set $i39 (local.get $i42))
            (local.set $i41 (local.get $i40))
            (loop $b5
              (local.set $i60 (i32.load (local.get $i39)))
              (local.set $i61 (i32.load offset=4 (local.get $i39)))
              (local.set $i62 (i32.load offset=8 (local.get $i39)))
              (local.set $i63 (i32.load offset=12 (local.get $i39)))
              (local.set $i64
                (i32.add (local.get $to.force) (i32.shl (local.get $i60) (i32.const 4))))
              (local.set $i65
                (i32.add (local.get $to.force) (i32.shl (local.get $i61) (i32.const 4))))
              (local.set $i66
                (i32.add (local.get $to.force) (i32.shl (local.get $i62) (i32.const 4))))
              (local.set $i67
                (i32.add (local.get $to.force) (i32.shl (local.get $i63) (i32.const 4))))
              (local.set $v68 (f32x4.mul (v128.load align=4 (local.get $i41)) (local.get $v9)))
              (local.set $v69
                (i8x16.shuffle 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 (local.get $v68) (local.get $v68)))
              (local.set $v70 (v128.load offset=3456 align=4 (local.get $i41)))
              (local.set $v71 (f32x4.mul (local.get $v69) (local.get $v70)))
              (v128.store align=4
                (local.get $i64)
                (f32x4.sub (v128.load align=4 (local.get $i64)) (local.get $v71)))
              (local.set $v23 (f32x4.add (local.get $v23) (local.get $v71)))
              (local.set $v72
                (i8x16.shuffle 4 5 6 7 4 5 6 7 4 5 6 7 4 5 6 7 (local.get $v68) (local.get $v68)))
              (local.set $v73 (v128.load offset=5184 align=4 (local.get $i41)))
              (local.set $v74 (f32x4.mul (local.get $v72) (local.get $v73)))
              (v128.store align=4
                (local.get $i65)
                (f32x4.sub (v128.load align=4 (local.get $i65)) (local.get $v74)))
              (local.set $v24 (f32x4.add (local.get $v24) (local.get $v74)))
              (local.set $v75
                (i8x16.shuffle 8 9 10 11 8 9 10 11 8 9 10 11 8 9 10 11
                  (local.get $v68)
                  (local.get $v68)))
              (local.set $v76 (v128.load offset=6912 align=4 (local.get $i41)))
              (local.set $v77 (f32x4.mul (local.get $v75) (local.get $v76)))
              (v128.store align=4
                (local.get $i66)
                (f32x4.sub (v128.load align=4 (local.get $i66)) (local.get $v77)))
              (local.set $v23 (f32x4.add (local.get $v23) (local.get $v77)))
              (local.set $v78
                (i8x16.shuffle 12 13 14 15 12 13 14 15 12 13 14 15 12 13 14 15
                  (local.get $v68)
                  (local.get $v68)))
              (local.set $v79 (v128.load offset=8640 align=4 (local.get $i41)))
              (local.set $v80 (f32x4.mul (local.get $v78) (local.get $v79)))
              (v128.store align=4
                (local.get $i67)
                (f32x4.sub (v128.load align=4 (local.get $i67)) (local.get $v80)))
              (local.set $v24 (f32x4.add (local.get $v24) (local.get $v80)))
              (local.set $i39 (i32.add (local.get $i39) (i32.const 16)))
              (local.set $i41 (i32.add (local.get $i41) (i32.const 16)))
              (br_if $b5 (i32.lt_u (local.get $i39) (local.get $i43))))
            (local.set $i39 (local.get $i43))
            (br $b7)))
        (local.set $i105 (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $i106 (i32.add (local.get $to.force) (i32.shl (local.get $i105) (i32.const 4))))
        (v128.store align=4
          (local.get $i106)
          (f32x4.add
            (v128.load align=4 (local.get $i106))
            (f32x4.add (local.get $v23) (local.get $v24))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
        (br $b1)))))
