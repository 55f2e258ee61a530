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
    (local $lastEntry i32) (local $i i32) (local $runBegin i32) (local $runEnd i32)
    (local $ownPosition i32) (local $imageShift i32) (local $center v128) (local $at i32)
    (local $vectors i32) (local $vector i32) (local $partBegin i32) (local $partEnd i32)
    (local $suspects v128) (local $x v128) (local $y v128) (local $z v128) (local $r2 v128)
    (local $root v128) (local $within v128) (local $give.fx v128) (local $give.fy v128)
    (local $give.fz v128) (local $factor v128) (local $inverse v128) (local $s2 v128)
    (local $s6 v128) (local $f v128) (local $lastVector i32) (local $at@0#2 i32) (local $at@4#2 i32)
    (local $at@8#2 i32) (local $at@12#2 i32) (local $to.force:at@0 i32) (local $to.force:at@4 i32)
    (local $to.force:at@8 i32) (local $to.force:at@12 i32) (local $v68 v128) (local $v69 v128)
    (local $vector@3456 v128) (local $v71 v128) (local $v72 v128) (local $vector@5184 v128)
    (local $v74 v128) (local $v75 v128) (local $vector@6912 v128) (local $v77 v128)
    (local $v78 v128) (local $vector@8640 v128) (local $v80 v128) (local $at@0 i32)
    (local $at@4 i32) (local $at@8 i32) (local $at@12 i32) (local $positions:at@0 i32)
    (local $positions:at@4 i32) (local $positions:at@8 i32) (local $positions:at@12 i32)
    (local $d.row v128) (local $d.row#2 v128) (local $d.row#3 v128) (local $d.row#4 v128)
    (local $v93 v128) (local $v94 v128) (local $v95 v128) (local $v96 v128) (local $units.x v128)
    (local $units.y v128) (local $units.z v128) (local $units.r2 v128) (local $dx v128)
    (local $dy v128) (local $dz v128) (local $d.r2 v128) (local $rowOfSums i32)
    (local $to.force:rowOfSums i32)
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
        (local.set $i (i32.load (local.get $entry)))
        (local.set $runBegin
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=8 (local.get $entry)) (i32.const 2))))
        (local.set $runEnd
          (i32.add
            (local.get $indices)
            (i32.shl (i32.load offset=12 (local.get $entry)) (i32.const 2))))
        (local.set $ownPosition
          (i32.add (local.get $positions) (i32.shl (i32.load (local.get $entry)) (i32.const 4))))
        (local.set $imageShift
          (i32.add
            (local.get $shifts)
            (i32.shl (i32.load offset=4 (local.get $entry)) (i32.const 4))))
        (local.set $center
          (i32x4.add
            (v128.load align=4 (local.get $ownPosition))
            (v128.load align=4 (local.get $imageShift))))
        (local.set $sum.fx (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fy (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fz (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v23 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v24 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $at (local.get $runBegin))
        (local.set $vectors (i32.add (local.get $scratch) (i32.const 576)))
        (block $b6
          (loop $b7
            (br_if $b6 (i32.eqz (i32.lt_u (local.get $at) (local.get $runEnd))))
            (local.set $partBegin (local.get $at))
            (local.set $partEnd (i32.add (local.get $at) (i32.const 512)))
            (if
              (i32.gt_u (local.get $partEnd) (local.get $runEnd))
              (then
                (local.set $partEnd (local.get $runEnd))))
            ;; measure: displacements of a part of the run
            (local.set $vector (local.get $vectors))
            (loop $b8
              (local.set $at@0 (i32.load (local.get $at)))
              (local.set $at@4 (i32.load offset=4 (local.get $at)))
              (local.set $at@8 (i32.load offset=8 (local.get $at)))
              (local.set $at@12 (i32.load offset=12 (local.get $at)))
              (local.set $positions:at@0
                (i32.add (local.get $positions) (i32.shl (local.get $at@0) (i32.const 4))))
              (local.set $positions:at@4
                (i32.add (local.get $positions) (i32.shl (local.get $at@4) (i32.const 4))))
              (local.set $positions:at@8
                (i32.add (local.get $positions) (i32.shl (local.get $at@8) (i32.const 4))))
              (local.set $positions:at@12
                (i32.add (local.get $positions) (i32.shl (local.get $at@12) (i32.const 4))))
              (local.set $d.row
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $center) (v128.load align=4 (local.get $positions:at@0)))))
              (local.set $d.row#2
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $center) (v128.load align=4 (local.get $positions:at@4)))))
              (local.set $d.row#3
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $center) (v128.load align=4 (local.get $positions:at@8)))))
              (local.set $d.row#4
                (f32x4.convert_i32x4_s
                  (i32x4.sub (local.get $center) (v128.load align=4 (local.get $positions:at@12)))))
              (local.set $v93
                (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                  (local.get $d.row)
                  (local.get $d.row#2)))
              (local.set $v94
                (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                  (local.get $d.row#3)
                  (local.get $d.row#4)))
              (local.set $v95
                (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                  (local.get $d.row)
                  (local.get $d.row#2)))
              (local.set $v96
                (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                  (local.get $d.row#3)
                  (local.get $d.row#4)))
              (local.set $units.x
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (local.get $v93)
                  (local.get $v94)))
              (local.set $units.y
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                  (local.get $v93)
                  (local.get $v94)))
              (local.set $units.z
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (local.get $v95)
                  (local.get $v96)))
              (local.set $units.r2
                (f32x4.add
                  (f32x4.add
                    (f32x4.mul (local.get $units.x) (local.get $units.x))
                    (f32x4.mul (local.get $units.y) (local.get $units.y)))
                  (f32x4.mul (local.get $units.z) (local.get $units.z))))
              (local.set $dx (f32x4.mul (local.get $units.x) (local.get $v9)))
              (local.set $dy (f32x4.mul (local.get $units.y) (local.get $v9)))
              (local.set $dz (f32x4.mul (local.get $units.z) (local.get $v9)))
              (local.set $d.r2
                (f32x4.add
                  (f32x4.mul (local.get $units.r2) (local.get $v10))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v95)
                    (local.get $v96))))
              (v128.store offset=1728 align=4 (local.get $vector) (local.get $d.r2))
              (v128.store offset=3456 align=4 (local.get $vector) (local.get $d.row))
              (v128.store offset=5184 align=4 (local.get $vector) (local.get $d.row#2))
              (v128.store offset=6912 align=4 (local.get $vector) (local.get $d.row#3))
              (v128.store offset=8640 align=4 (local.get $vector) (local.get $d.row#4))
              (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $b8 (i32.lt_u (local.get $at) (local.get $partEnd))))
            ;; compute: the functor
            (local.set $lastVector (local.get $vector))
            (local.set $vector (local.get $vectors))
            (loop $b4
              (local.set $r2 (v128.load offset=1728 align=4 (local.get $vector)))
              (local.set $within (f32x4.lt (local.get $r2) (local.get $cutoff2#2)))
              (local.set $inverse
                (f32x4.div
                  (v128.const i32x4 0x3f800000 0x3f800000 0x3f800000 0x3f800000)
                  (local.get $r2)))
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
              (local.set $factor (v128.and (local.get $f) (local.get $within)))
              (v128.store align=4 (local.get $vector) (local.get $factor))
              (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
              (br_if $b4 (i32.lt_u (local.get $vector) (local.get $lastVector))))
            ;; scatter: neighbors receive their share
            (local.set $at (local.get $partBegin))
            (local.set $vector (local.get $vectors))
            (loop $b5
              (local.set $at@0#2 (i32.load (local.get $at)))
              (local.set $at@4#2 (i32.load offset=4 (local.get $at)))
              (local.set $at@8#2 (i32.load offset=8 (local.get $at)))
              (local.set $at@12#2 (i32.load offset=12 (local.get $at)))
              (local.set $to.force:at@0
                (i32.add (local.get $to.force) (i32.shl (local.get $at@0#2) (i32.const 4))))
              (local.set $to.force:at@4
                (i32.add (local.get $to.force) (i32.shl (local.get $at@4#2) (i32.const 4))))
              (local.set $to.force:at@8
                (i32.add (local.get $to.force) (i32.shl (local.get $at@8#2) (i32.const 4))))
              (local.set $to.force:at@12
                (i32.add (local.get $to.force) (i32.shl (local.get $at@12#2) (i32.const 4))))
              (local.set $v68 (f32x4.mul (v128.load align=4 (local.get $vector)) (local.get $v9)))
              (local.set $v69
                (i8x16.shuffle 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 (local.get $v68) (local.get $v68)))
              (local.set $vector@3456 (v128.load offset=3456 align=4 (local.get $vector)))
              (local.set $v71 (f32x4.mul (local.get $v69) (local.get $vector@3456)))
              (v128.store align=4
                (local.get $to.force:at@0)
                (f32x4.sub (v128.load align=4 (local.get $to.force:at@0)) (local.get $v71)))
              (local.set $v23 (f32x4.add (local.get $v23) (local.get $v71)))
              (local.set $v72
                (i8x16.shuffle 4 5 6 7 4 5 6 7 4 5 6 7 4 5 6 7 (local.get $v68) (local.get $v68)))
              (local.set $vector@5184 (v128.load offset=5184 align=4 (local.get $vector)))
              (local.set $v74 (f32x4.mul (local.get $v72) (local.get $vector@5184)))
              (v128.store align=4
                (local.get $to.force:at@4)
                (f32x4.sub (v128.load align=4 (local.get $to.force:at@4)) (local.get $v74)))
              (local.set $v24 (f32x4.add (local.get $v24) (local.get $v74)))
              (local.set $v75
                (i8x16.shuffle 8 9 10 11 8 9 10 11 8 9 10 11 8 9 10 11
                  (local.get $v68)
                  (local.get $v68)))
              (local.set $vector@6912 (v128.load offset=6912 align=4 (local.get $vector)))
              (local.set $v77 (f32x4.mul (local.get $v75) (local.get $vector@6912)))
              (v128.store align=4
                (local.get $to.force:at@8)
                (f32x4.sub (v128.load align=4 (local.get $to.force:at@8)) (local.get $v77)))
              (local.set $v23 (f32x4.add (local.get $v23) (local.get $v77)))
              (local.set $v78
                (i8x16.shuffle 12 13 14 15 12 13 14 15 12 13 14 15 12 13 14 15
                  (local.get $v68)
                  (local.get $v68)))
              (local.set $vector@8640 (v128.load offset=8640 align=4 (local.get $vector)))
              (local.set $v80 (f32x4.mul (local.get $v78) (local.get $vector@8640)))
              (v128.store align=4
                (local.get $to.force:at@12)
                (f32x4.sub (v128.load align=4 (local.get $to.force:at@12)) (local.get $v80)))
              (local.set $v24 (f32x4.add (local.get $v24) (local.get $v80)))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
              (br_if $b5 (i32.lt_u (local.get $at) (local.get $partEnd))))
            (local.set $at (local.get $partEnd))
            (br $b7)))
        (local.set $rowOfSums (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $to.force:rowOfSums
          (i32.add (local.get $to.force) (i32.shl (local.get $rowOfSums) (i32.const 4))))
        (v128.store align=4
          (local.get $to.force:rowOfSums)
          (f32x4.add
            (v128.load align=4 (local.get $to.force:rowOfSums))
            (f32x4.add (local.get $v23) (local.get $v24))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
        (br $b1)))))
