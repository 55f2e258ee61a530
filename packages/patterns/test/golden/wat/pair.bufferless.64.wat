;; attract
;;
;; Pair functor 'attract' over entries begin … end − 1 of a half neighbor list, two neighbors at a time.
;;   measure   displacements and their squares go to scratch memory
;;   compute   the functor runs where r² is below the square of the cutoff
;;   scatter   neighbors receive their share
;;   store     sums over the lanes go to the row of the particle
(module
  (import "env" "memory" (memory i64 1 262144 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread#2 i32)
    (local $positions i64) (local $shifts i64) (local $cutoff2 f64) (local $cutoff2#2 v128)
    (local $threads i64) (local $thread i64) (local $entries i64) (local $indices i64)
    (local $base i32) (local $to.force i64) (local $p.sigma2 f64) (local $p.sigma2.lanes v128)
    (local $p.epsilon f64) (local $p.epsilon.lanes v128) (local $sum.fx v128) (local $sum.fy v128)
    (local $sum.fz v128) (local $scratch i64) (local $d22 f64) (local $v23 v128) (local $entry i64)
    (local $lastEntry i64) (local $i i32) (local $runBegin i64) (local $runEnd i64)
    (local $ownPosition i64) (local $imageShift i64) (local $center.xy v128) (local $center.z v128)
    (local $center.x.lanes v128) (local $center.y.lanes v128) (local $center.z.lanes v128)
    (local $at i64) (local $vectors i64) (local $vector i64) (local $partBegin i64)
    (local $partEnd i64) (local $suspects v128) (local $x v128) (local $y v128) (local $z v128)
    (local $r2 v128) (local $root v128) (local $within v128) (local $give.fx v128)
    (local $give.fy v128) (local $give.fz v128) (local $factor v128) (local $inverse v128)
    (local $s2 v128) (local $s6 v128) (local $f v128) (local $lastVector i64) (local $x#2 v128)
    (local $y#2 v128) (local $z#2 v128) (local $r2#2 v128) (local $root#2 v128)
    (local $within#2 v128) (local $give.fx#2 v128) (local $give.fy#2 v128) (local $give.fz#2 v128)
    (local $factor#2 v128) (local $inverse#2 v128) (local $s2#2 v128) (local $s6#2 v128)
    (local $f#2 v128) (local $at@0#2 i32) (local $at@4#2 i32) (local $vector@0 v128)
    (local $j.fx v128) (local $j.fy v128) (local $j.fz v128) (local $l77 i64) (local $l78 i64)
    (local $at@8#2 i32) (local $at@12#2 i32) (local $vector@16 v128) (local $j.fx#2 v128)
    (local $j.fy#2 v128) (local $j.fz#2 v128) (local $l85 i64) (local $l86 i64) (local $at@0 i32)
    (local $at@4 i32) (local $l89 i64) (local $l90 i64) (local $v91 v128) (local $v92 v128)
    (local $dx v128) (local $dy v128) (local $dz v128) (local $d.r2 v128) (local $at@8 i32)
    (local $at@12 i32) (local $l99 i64) (local $l100 i64) (local $v101 v128) (local $v102 v128)
    (local $dx#2 v128) (local $dy#2 v128) (local $dz#2 v128) (local $d.r2#2 v128)
    (local $rowOfSums i32) (local $l108 i64)
    (local.set $positions
      (i64.shl
        (i64.extend_i32_u (i32.load (i64.shl (i64.extend_i32_u (local.get $args)) (i64.const 2))))
        (i64.const 2)))
    (local.set $shifts
      (i64.shl
        (i64.extend_i32_u
          (i32.load offset=8 (i64.shl (i64.extend_i32_u (local.get $args)) (i64.const 2))))
        (i64.const 2)))
    (local.set $cutoff2
      (f64.load offset=16 (i64.shl (i64.extend_i32_u (local.get $args)) (i64.const 2))))
    (local.set $cutoff2#2 (f64x2.splat (local.get $cutoff2)))
    (local.set $threads
      (i64.shl
        (i64.extend_i32_u
          (i32.load offset=24 (i64.shl (i64.extend_i32_u (local.get $args)) (i64.const 2))))
        (i64.const 2)))
    (local.set $thread
      (i64.add
        (local.get $threads)
        (i64.mul (i64.extend_i32_s (local.get $thread#2)) (i64.const 28))))
    (local.set $entries (i64.shl (i64.extend_i32_u (i32.load (local.get $thread))) (i64.const 2)))
    (local.set $indices
      (i64.shl (i64.extend_i32_u (i32.load offset=4 (local.get $thread))) (i64.const 2)))
    (local.set $base (i32.load offset=8 (local.get $thread)))
    (local.set $to.force
      (i64.shl (i64.extend_i32_u (i32.load offset=24 (local.get $thread))) (i64.const 2)))
    (local.set $p.sigma2
      (f64.load offset=32 (i64.shl (i64.extend_i32_u (local.get $args)) (i64.const 2))))
    (local.set $p.sigma2.lanes (f64x2.splat (local.get $p.sigma2)))
    (local.set $p.epsilon
      (f64.load offset=40 (i64.shl (i64.extend_i32_u (local.get $args)) (i64.const 2))))
    (local.set $p.epsilon.lanes (f64x2.splat (local.get $p.epsilon)))
    (local.set $scratch
      (i64.shl (i64.extend_i32_u (i32.load offset=16 (local.get $thread))) (i64.const 2)))
    (local.set $d22 (f64.mul (f64.const 24) (local.get $p.epsilon)))
    (local.set $v23 (f64x2.splat (local.get $d22)))
    ;; the entries of this call: {i, image, first, end} each
    (local.set $entry
      (i64.add
        (local.get $entries)
        (i64.shl (i64.extend_i32_s (i32.sub (local.get $begin) (local.get $base))) (i64.const 4))))
    (local.set $lastEntry
      (i64.add
        (local.get $entries)
        (i64.shl (i64.extend_i32_s (i32.sub (local.get $end) (local.get $base))) (i64.const 4))))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i64.lt_u (local.get $entry) (local.get $lastEntry))))
        (local.set $i (i32.load (local.get $entry)))
        (local.set $runBegin
          (i64.add
            (local.get $indices)
            (i64.shl (i64.extend_i32_u (i32.load offset=8 (local.get $entry))) (i64.const 2))))
        (local.set $runEnd
          (i64.add
            (local.get $indices)
            (i64.shl (i64.extend_i32_u (i32.load offset=12 (local.get $entry))) (i64.const 2))))
        (local.set $ownPosition
          (i64.add
            (local.get $positions)
            (i64.shl (i64.extend_i32_u (i32.load (local.get $entry))) (i64.const 5))))
        (local.set $imageShift
          (i64.add
            (local.get $shifts)
            (i64.shl (i64.extend_i32_u (i32.load offset=4 (local.get $entry))) (i64.const 5))))
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
        (local.set $vectors (i64.add (local.get $scratch) (i64.const 576)))
        (block $b8
          (loop $b9
            (br_if $b8 (i32.eqz (i64.lt_u (local.get $at) (local.get $runEnd))))
            (local.set $partBegin (local.get $at))
            (local.set $partEnd (i64.add (local.get $at) (i64.const 512)))
            (if
              (i64.gt_u (local.get $partEnd) (local.get $runEnd))
              (then
                (local.set $partEnd (local.get $runEnd))))
            ;; measure: displacements of a part of the run
            (local.set $vector (local.get $vectors))
            (loop $b10
              (local.set $at@0 (i32.load (local.get $at)))
              (local.set $at@8 (i32.load offset=8 (local.get $at)))
              (local.set $at@4 (i32.load offset=4 (local.get $at)))
              (local.set $at@12 (i32.load offset=12 (local.get $at)))
              (local.set $l89
                (i64.add
                  (local.get $positions)
                  (i64.shl (i64.extend_i32_u (local.get $at@0)) (i64.const 5))))
              (local.set $l99
                (i64.add
                  (local.get $positions)
                  (i64.shl (i64.extend_i32_u (local.get $at@8)) (i64.const 5))))
              (local.set $l90
                (i64.add
                  (local.get $positions)
                  (i64.shl (i64.extend_i32_u (local.get $at@4)) (i64.const 5))))
              (local.set $l100
                (i64.add
                  (local.get $positions)
                  (i64.shl (i64.extend_i32_u (local.get $at@12)) (i64.const 5))))
              (local.set $v91 (v128.load align=4 (local.get $l89)))
              (local.set $v101 (v128.load align=4 (local.get $l99)))
              (local.set $v92 (v128.load align=4 (local.get $l90)))
              (local.set $v102 (v128.load align=4 (local.get $l100)))
              (local.set $dx
                (f64x2.sub
                  (local.get $center.x.lanes)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v91)
                    (local.get $v92))))
              (local.set $dx#2
                (f64x2.sub
                  (local.get $center.x.lanes)
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $v101)
                    (local.get $v102))))
              (local.set $dy
                (f64x2.sub
                  (local.get $center.y.lanes)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v91)
                    (local.get $v92))))
              (local.set $dy#2
                (f64x2.sub
                  (local.get $center.y.lanes)
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $v101)
                    (local.get $v102))))
              (local.set $dz
                (f64x2.sub
                  (local.get $center.z.lanes)
                  (v128.load64_lane offset=16 1
                    (local.get $l90)
                    (v128.load64_zero offset=16 (local.get $l89)))))
              (local.set $dz#2
                (f64x2.sub
                  (local.get $center.z.lanes)
                  (v128.load64_lane offset=16 1
                    (local.get $l100)
                    (v128.load64_zero offset=16 (local.get $l99)))))
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
              (v128.store offset=3456 align=4 (local.get $vector) (local.get $dx))
              (v128.store offset=3472 align=4 (local.get $vector) (local.get $dx#2))
              (v128.store offset=5184 align=4 (local.get $vector) (local.get $dy))
              (v128.store offset=5200 align=4 (local.get $vector) (local.get $dy#2))
              (v128.store offset=6912 align=4 (local.get $vector) (local.get $dz))
              (v128.store offset=6928 align=4 (local.get $vector) (local.get $dz#2))
              (v128.store offset=1728 align=4 (local.get $vector) (local.get $d.r2))
              (v128.store offset=1744 align=4 (local.get $vector) (local.get $d.r2#2))
              (local.set $vector (i64.add (local.get $vector) (i64.const 32)))
              (local.set $at (i64.add (local.get $at) (i64.const 16)))
              (br_if $b10 (i64.lt_u (local.get $at) (local.get $partEnd))))
            ;; compute: the functor
            (local.set $lastVector (local.get $vector))
            (local.set $vector (local.get $vectors))
            (loop $b6
              (local.set $r2 (v128.load offset=1728 align=4 (local.get $vector)))
              (local.set $r2#2 (v128.load offset=1744 align=4 (local.get $vector)))
              (local.set $within (f64x2.lt (local.get $r2) (local.get $cutoff2#2)))
              (local.set $within#2 (f64x2.lt (local.get $r2#2) (local.get $cutoff2#2)))
              (local.set $inverse
                (f64x2.div
                  (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                  (local.get $r2)))
              (local.set $inverse#2
                (f64x2.div
                  (v128.const i32x4 0x00000000 0x3ff00000 0x00000000 0x3ff00000)
                  (local.get $r2#2)))
              (local.set $s2 (f64x2.mul (local.get $p.sigma2.lanes) (local.get $inverse)))
              (local.set $s2#2 (f64x2.mul (local.get $p.sigma2.lanes) (local.get $inverse#2)))
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
              (local.set $factor (v128.and (local.get $f) (local.get $within)))
              (local.set $factor#2 (v128.and (local.get $f#2) (local.get $within#2)))
              (v128.store align=4 (local.get $vector) (local.get $factor))
              (v128.store offset=16 align=4 (local.get $vector) (local.get $factor#2))
              (local.set $vector (i64.add (local.get $vector) (i64.const 32)))
              (br_if $b6 (i64.lt_u (local.get $vector) (local.get $lastVector))))
            ;; scatter: neighbors receive their share
            (local.set $at (local.get $partBegin))
            (local.set $vector (local.get $vectors))
            (loop $b7
              (local.set $at@0#2 (i32.load (local.get $at)))
              (local.set $at@8#2 (i32.load offset=8 (local.get $at)))
              (local.set $at@4#2 (i32.load offset=4 (local.get $at)))
              (local.set $at@12#2 (i32.load offset=12 (local.get $at)))
              (local.set $vector@0 (v128.load align=4 (local.get $vector)))
              (local.set $vector@16 (v128.load offset=16 align=4 (local.get $vector)))
              (local.set $j.fx
                (f64x2.mul
                  (local.get $vector@0)
                  (v128.load offset=3456 align=4 (local.get $vector))))
              (local.set $j.fx#2
                (f64x2.mul
                  (local.get $vector@16)
                  (v128.load offset=3472 align=4 (local.get $vector))))
              (local.set $sum.fx (f64x2.add (local.get $sum.fx) (local.get $j.fx)))
              (local.set $sum.fx (f64x2.add (local.get $sum.fx) (local.get $j.fx#2)))
              (local.set $j.fy
                (f64x2.mul
                  (local.get $vector@0)
                  (v128.load offset=5184 align=4 (local.get $vector))))
              (local.set $j.fy#2
                (f64x2.mul
                  (local.get $vector@16)
                  (v128.load offset=5200 align=4 (local.get $vector))))
              (local.set $sum.fy (f64x2.add (local.get $sum.fy) (local.get $j.fy)))
              (local.set $sum.fy (f64x2.add (local.get $sum.fy) (local.get $j.fy#2)))
              (local.set $j.fz
                (f64x2.mul
                  (local.get $vector@0)
                  (v128.load offset=6912 align=4 (local.get $vector))))
              (local.set $j.fz#2
                (f64x2.mul
                  (local.get $vector@16)
                  (v128.load offset=6928 align=4 (local.get $vector))))
              (local.set $sum.fz (f64x2.add (local.get $sum.fz) (local.get $j.fz)))
              (local.set $sum.fz (f64x2.add (local.get $sum.fz) (local.get $j.fz#2)))
              (local.set $l77
                (i64.add
                  (local.get $to.force)
                  (i64.shl (i64.extend_i32_u (local.get $at@0#2)) (i64.const 5))))
              (local.set $l85
                (i64.add
                  (local.get $to.force)
                  (i64.shl (i64.extend_i32_u (local.get $at@8#2)) (i64.const 5))))
              (local.set $l78
                (i64.add
                  (local.get $to.force)
                  (i64.shl (i64.extend_i32_u (local.get $at@4#2)) (i64.const 5))))
              (local.set $l86
                (i64.add
                  (local.get $to.force)
                  (i64.shl (i64.extend_i32_u (local.get $at@12#2)) (i64.const 5))))
              (v128.store align=4
                (local.get $l77)
                (f64x2.sub
                  (v128.load align=4 (local.get $l77))
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $j.fx)
                    (local.get $j.fy))))
              (v128.store align=4
                (local.get $l85)
                (f64x2.sub
                  (v128.load align=4 (local.get $l85))
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                    (local.get $j.fx#2)
                    (local.get $j.fy#2))))
              (v128.store align=4
                (local.get $l78)
                (f64x2.sub
                  (v128.load align=4 (local.get $l78))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $j.fx)
                    (local.get $j.fy))))
              (v128.store align=4
                (local.get $l86)
                (f64x2.sub
                  (v128.load align=4 (local.get $l86))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                    (local.get $j.fx#2)
                    (local.get $j.fy#2))))
              (f64.store offset=16
                (local.get $l77)
                (f64.sub
                  (f64.load offset=16 (local.get $l77))
                  (f64x2.extract_lane 0 (local.get $j.fz))))
              (f64.store offset=16
                (local.get $l85)
                (f64.sub
                  (f64.load offset=16 (local.get $l85))
                  (f64x2.extract_lane 0 (local.get $j.fz#2))))
              (f64.store offset=16
                (local.get $l78)
                (f64.sub
                  (f64.load offset=16 (local.get $l78))
                  (f64x2.extract_lane 1 (local.get $j.fz))))
              (f64.store offset=16
                (local.get $l86)
                (f64.sub
                  (f64.load offset=16 (local.get $l86))
                  (f64x2.extract_lane 1 (local.get $j.fz#2))))
              (local.set $at (i64.add (local.get $at) (i64.const 16)))
              (local.set $vector (i64.add (local.get $vector) (i64.const 32)))
              (br_if $b7 (i64.lt_u (local.get $at) (local.get $partEnd))))
            (local.set $at (local.get $partEnd))
            (br $b9)))
        (local.set $rowOfSums (i32.load (local.get $entry)))
        ;; store: sums over the lanes
        (local.set $l108
          (i64.add
            (local.get $to.force)
            (i64.shl (i64.extend_i32_u (local.get $rowOfSums)) (i64.const 5))))
        (f64.store
          (local.get $l108)
          (f64.add
            (f64.load (local.get $l108))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fx))
              (f64x2.extract_lane 1 (local.get $sum.fx)))))
        (f64.store offset=8
          (local.get $l108)
          (f64.add
            (f64.load offset=8 (local.get $l108))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fy))
              (f64x2.extract_lane 1 (local.get $sum.fy)))))
        (f64.store offset=16
          (local.get $l108)
          (f64.add
            (f64.load offset=16 (local.get $l108))
            (f64.add
              (f64x2.extract_lane 0 (local.get $sum.fz))
              (f64x2.extract_lane 1 (local.get $sum.fz)))))
        (local.set $entry (i64.add (local.get $entry) (i64.const 16)))
        (br $b1)))))
