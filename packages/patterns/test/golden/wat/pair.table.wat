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
    (local $last.strength.lanes v128) (local $p.strength i32) (local $sum.fx v128)
    (local $sum.fy v128) (local $sum.fz v128) (local $scratch i32) (local $entry i32)
    (local $lastEntry i32) (local $i i32) (local $runBegin i32) (local $runEnd i32)
    (local $ownPosition i32) (local $imageShift i32) (local $center.xy v128) (local $center.z v128)
    (local $center.x.lanes v128) (local $center.y.lanes v128) (local $center.z.lanes v128)
    (local $at i32) (local $vectors i32) (local $vector i32) (local $partBegin i32)
    (local $partEnd i32) (local $suspects v128) (local $x v128) (local $y v128) (local $z v128)
    (local $r2 v128) (local $root v128) (local $within v128) (local $factor v128)
    (local $at@0#2 i32) (local $at@4#2 i32) (local $v49 v128) (local $v50 v128) (local $v51 v128)
    (local $f v128) (local $v53 v128) (local $lastVector i32) (local $x#2 v128) (local $y#2 v128)
    (local $z#2 v128) (local $r2#2 v128) (local $root#2 v128) (local $within#2 v128)
    (local $factor#2 v128) (local $at@8#2 i32) (local $at@12#2 i32) (local $v64 v128)
    (local $v65 v128) (local $v66 v128) (local $f#2 v128) (local $v68 v128) (local $at@0 i32)
    (local $at@4 i32) (local $positions:at@0 i32) (local $positions:at@4 i32)
    (local $positions:at@0@0 v128) (local $positions:at@4@0 v128) (local $dx v128) (local $dy v128)
    (local $dz v128) (local $d.r2 v128) (local $at@8 i32) (local $at@12 i32)
    (local $positions:at@8 i32) (local $positions:at@12 i32) (local $positions:at@8@0 v128)
    (local $positions:at@12@0 v128) (local $dx#2 v128) (local $dy#2 v128) (local $dz#2 v128)
    (local $d.r2#2 v128) (local $rowOfSums i32) (local $to.force:rowOfSums i32)
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
    (local.set $last.strength.lanes (i32x4.splat (local.get $last.strength)))
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
          (i32.add (local.get $positions) (i32.shl (i32.load (local.get $entry)) (i32.const 5))))
        (local.set $imageShift
          (i32.add
            (local.get $shifts)
            (i32.shl (i32.load offset=4 (local.get $entry)) (i32.const 5))))
        (local.set $center.xy
          (f64x2.add
            (v128.load align=4 (local.get $ownPosition))
            (v128.load align=4 (local.get $imageShift))))
        (local.set $center.z
          (f64x2.add
            (v128.load offset=16 align=4 (local.get $ownPosition))
            (v128.load offset=16 align=4 (local.get $imageShift))))
        (local.set $center.x.lanes
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
            (local.get $center.xy)
            (local.get $center.xy)))
        (local.set $center.y.lanes
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15
            (local.get $center.xy)
            (local.get $center.xy)))
        (local.set $center.z.lanes
          (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
            (local.get $center.z)
            (local.get $center.z)))
        (local.set $sum.fx (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fy (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $sum.fz (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $at (local.get $runBegin))
        (local.set $vectors (i32.add (local.get $scratch) (i32.const 576)))
        (block $b7
          (loop $b8
            (br_if $b7 (i32.eqz (i32.lt_u (local.get $at) (local.get $runEnd))))
            (local.set $partBegin (local.get $at))
            (local.set $partEnd (i32.add (local.get $at) (i32.const 512)))
            (if
              (i32.gt_u (local.get $partEnd) (local.get $runEnd))
              (then
                (local.set $partEnd (local.get $runEnd))))
            ;; measure: displacements of a part of the run
            (local.set $vector (local.get $vectors))
            (loop $b9
              (local.set $at@0 (i32.load (local.get $at)))
              (local.set $at@8 (i32.load offset=8 (local.get $at)))
              (local.set $at@4 (i32.load offset=4 (local.get $at)))
              (local.set $at@12 (i32.load offset=12 (local.get $at)))
              (local.set $positions:at@0
                (i32.add (local.get $positions) (i32.shl (local.get $at@0) (i32.const 5))))
              (local.set $positions:at@8
                (i32.add (local.get $positions) (i32.shl (local.get $at@8) (i32.const 5))))
              (local.set $positions:at@4
                (i32.add (local.get $positions) (i32.shl (local.get $at@4) (i32.const 5))))
              (local.set $positions:at@12
                (i32.add (local.get $positions) (i32.shl (local.get $at@12) (i32.const 5))))
              (local.set $positions:at@0@0 (v128.load align=4 (local.get $positions:at@0)))
              (local.set $positions:at@8@0 (v128.load align=4 (local.get $positions:at@8)))
              (local.set $positions:at@4@0 (v128.load align=4 (local.get $positions:at@4)))
              (local.set $positions:at@12@0 (v128.load align=4 (local.get $positions:at@12)))
              (local.set $dx
                (f64x2.sub
                  (local.get $center.x.lanes)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $positions:at@0@0)
                    (local.get $positions:at@4@0))))
              (local.set $dx#2
                (f64x2.sub
                  (local.get $center.x.lanes)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $positions:at@8@0)
                    (local.get $positions:at@12@0))))
              (local.set $dy
                (f64x2.sub
                  (local.get $center.y.lanes)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $positions:at@0@0)
                    (local.get $positions:at@4@0))))
              (local.set $dy#2
                (f64x2.sub
                  (local.get $center.y.lanes)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $positions:at@8@0)
                    (local.get $positions:at@12@0))))
              (local.set $dz
                (f64x2.sub
                  (local.get $center.z.lanes)
                  (v128.load64_lane offset=16 1
                    (local.get $positions:at@4)
                    (v128.load64_zero offset=16 (local.get $positions:at@0)))))
              (local.set $dz#2
                (f64x2.sub
                  (local.get $center.z.lanes)
                  (v128.load64_lane offset=16 1
                    (local.get $positions:at@12)
                    (v128.load64_zero offset=16 (local.get $positions:at@8)))))
              (local.set $d.r2
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $dx) (local.get $dx))
                    (f64x2.mul (local.get $dy) (local.get $dy)))
                  (f64x2.mul (local.get $dz) (local.get $dz))))
              (local.set $d.r2#2
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $dx#2) (local.get $dx#2))
                    (f64x2.mul (local.get $dy#2) (local.get $dy#2)))
                  (f64x2.mul (local.get $dz#2) (local.get $dz#2))))
              (v128.store align=4 (local.get $vector) (local.get $dx))
              (v128.store offset=16 align=4 (local.get $vector) (local.get $dx#2))
              (v128.store offset=1728 align=4 (local.get $vector) (local.get $dy))
              (v128.store offset=1744 align=4 (local.get $vector) (local.get $dy#2))
              (v128.store offset=3456 align=4 (local.get $vector) (local.get $dz))
              (v128.store offset=3472 align=4 (local.get $vector) (local.get $dz#2))
              (v128.store offset=5184 align=4 (local.get $vector) (local.get $d.r2))
              (v128.store offset=5200 align=4 (local.get $vector) (local.get $d.r2#2))
              (local.set $vector (i32.add (local.get $vector) (i32.const 32)))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $b9 (i32.lt_u (local.get $at) (local.get $partEnd))))
            ;; compute: the functor
            (local.set $lastVector (local.get $vector))
            (local.set $vector (local.get $vectors))
            (local.set $at (local.get $partBegin))
            (loop $b6
              (local.set $x (v128.load align=4 (local.get $vector)))
              (local.set $x#2 (v128.load offset=16 align=4 (local.get $vector)))
              (local.set $y (v128.load offset=1728 align=4 (local.get $vector)))
              (local.set $y#2 (v128.load offset=1744 align=4 (local.get $vector)))
              (local.set $z (v128.load offset=3456 align=4 (local.get $vector)))
              (local.set $z#2 (v128.load offset=3472 align=4 (local.get $vector)))
              (local.set $r2 (v128.load offset=5184 align=4 (local.get $vector)))
              (local.set $r2#2 (v128.load offset=5200 align=4 (local.get $vector)))
              (local.set $within (f64x2.lt (local.get $r2) (local.get $cutoff2#2)))
              (local.set $within#2 (f64x2.lt (local.get $r2#2) (local.get $cutoff2#2)))
              (local.set $at@0#2 (i32.load (local.get $at)))
              (local.set $at@8#2 (i32.load offset=8 (local.get $at)))
              (local.set $at@4#2 (i32.load offset=4 (local.get $at)))
              (local.set $at@12#2 (i32.load offset=12 (local.get $at)))
              (local.set $v49
                (v128.load32_lane 1
                  (i32.add (local.get $j.type) (i32.shl (local.get $at@4#2) (i32.const 2)))
                  (v128.load32_zero
                    (i32.add (local.get $j.type) (i32.shl (local.get $at@0#2) (i32.const 2))))))
              (local.set $v64
                (v128.load32_lane 1
                  (i32.add (local.get $j.type) (i32.shl (local.get $at@12#2) (i32.const 2)))
                  (v128.load32_zero
                    (i32.add (local.get $j.type) (i32.shl (local.get $at@8#2) (i32.const 2))))))
              (local.set $v50 (i32x4.min_u (local.get $v49) (local.get $last.strength.lanes)))
              (local.set $v65 (i32x4.min_u (local.get $v64) (local.get $last.strength.lanes)))
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
              (local.set $v53 (v128.and (local.get $f) (local.get $within)))
              (local.set $v68 (v128.and (local.get $f#2) (local.get $within#2)))
              (local.set $sum.fx
                (f64x2.sub (local.get $sum.fx) (f64x2.mul (local.get $v53) (local.get $x))))
              (local.set $sum.fx
                (f64x2.sub (local.get $sum.fx) (f64x2.mul (local.get $v68) (local.get $x#2))))
              (local.set $sum.fy
                (f64x2.sub (local.get $sum.fy) (f64x2.mul (local.get $v53) (local.get $y))))
              (local.set $sum.fy
                (f64x2.sub (local.get $sum.fy) (f64x2.mul (local.get $v68) (local.get $y#2))))
              (local.set $sum.fz
                (f64x2.sub (local.get $sum.fz) (f64x2.mul (local.get $v53) (local.get $z))))
              (local.set $sum.fz
                (f64x2.sub (local.get $sum.fz) (f64x2.mul (local.get $v68) (local.get $z#2))))
              (local.set $vector (i32.add (local.get $vector) (i32.const 32)))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $b6 (i32.lt_u (local.get $vector) (local.get $lastVector))))
            (local.set $at (local.get $partEnd))
            (br $b8)))
        (local.set $rowOfSums (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $to.force:rowOfSums
          (i32.add (local.get $to.force) (i32.shl (local.get $rowOfSums) (i32.const 5))))
        (f64.store
          (local.get $to.force:rowOfSums)
          (f64.add
            (f64.load (local.get $to.force:rowOfSums))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fx))
              (f64x2.extract_lane 1 (local.get $sum.fx)))))
        (f64.store offset=8
          (local.get $to.force:rowOfSums)
          (f64.add
            (f64.load offset=8 (local.get $to.force:rowOfSums))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fy))
              (f64x2.extract_lane 1 (local.get $sum.fy)))))
        (f64.store offset=16
          (local.get $to.force:rowOfSums)
          (f64.add
            (f64.load offset=16 (local.get $to.force:rowOfSums))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fz))
              (f64x2.extract_lane 1 (local.get $sum.fz)))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
        (br $b1)))))
