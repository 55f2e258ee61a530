;; neighbors.bin
;;
;; Brings rows back into the box along periodic axes, and writes the cell of each to keys.
;;   fraction  position in units of the box
;;   wrap      whole boxes are taken off, and counted in the image flags if there are any
;;   check     the first row that is not finite is noted
;;   cell      its number, clamped to the grid
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $position i32) (local $keys i32) (local $place i32) (local $bad i32) (local $origin0 f64)
    (local $origin1 f64) (local $origin2 f64) (local $inverse0 f64) (local $inverse1 f64)
    (local $inverse2 f64) (local $inverse3 f64) (local $inverse4 f64) (local $inverse5 f64)
    (local $inverse6 f64) (local $inverse7 f64) (local $inverse8 f64) (local $matrix0 f64)
    (local $matrix1 f64) (local $matrix2 f64) (local $matrix3 f64) (local $matrix4 f64)
    (local $matrix5 f64) (local $matrix6 f64) (local $matrix7 f64) (local $matrix8 f64)
    (local $periodic0 i32) (local $periodic1 i32) (local $periodic2 i32) (local $lower0 f64)
    (local $lower1 f64) (local $lower2 f64) (local $scale0 f64) (local $scale1 f64)
    (local $scale2 f64) (local $dims0 i32) (local $dims1 i32) (local $dims2 i32) (local $images i32)
    (local $rx f64) (local $ry f64) (local $rz f64) (local $fractionA f64) (local $fractionB f64)
    (local $fractionC f64) (local $cellA i32) (local $cellB i32) (local $cellC i32) (local $row i32)
    (local $position:row i32) (local $xFromOrigin f64) (local $yFromOrigin f64)
    (local $zFromOrigin f64) (local $boxesA f64) (local $boxesB f64) (local $boxesC f64)
    (local $xFromOrigin#2 f64) (local $yFromOrigin#2 f64) (local $zFromOrigin#2 f64)
    (local $images:row i32) (local $boxesA#2 f64) (local $boxesB#2 f64) (local $boxesC#2 f64)
    (local $xFromOrigin#3 f64) (local $yFromOrigin#3 f64) (local $zFromOrigin#3 f64)
    (local $images:row#2 i32) (local $bad:thread i32)
    (local.set $position (i32.load (local.get $args)))
    (local.set $keys (i32.load offset=8 (local.get $args)))
    (local.set $place (i32.load offset=16 (local.get $args)))
    (local.set $bad (i32.load offset=24 (local.get $args)))
    (local.set $origin0 (f64.load offset=32 (local.get $args)))
    (local.set $origin1 (f64.load offset=40 (local.get $args)))
    (local.set $origin2 (f64.load offset=48 (local.get $args)))
    (local.set $inverse0 (f64.load offset=56 (local.get $args)))
    (local.set $inverse1 (f64.load offset=64 (local.get $args)))
    (local.set $inverse2 (f64.load offset=72 (local.get $args)))
    (local.set $inverse3 (f64.load offset=80 (local.get $args)))
    (local.set $inverse4 (f64.load offset=88 (local.get $args)))
    (local.set $inverse5 (f64.load offset=96 (local.get $args)))
    (local.set $inverse6 (f64.load offset=104 (local.get $args)))
    (local.set $inverse7 (f64.load offset=112 (local.get $args)))
    (local.set $inverse8 (f64.load offset=120 (local.get $args)))
    (local.set $matrix0 (f64.load offset=128 (local.get $args)))
    (local.set $matrix1 (f64.load offset=136 (local.get $args)))
    (local.set $matrix2 (f64.load offset=144 (local.get $args)))
    (local.set $matrix3 (f64.load offset=152 (local.get $args)))
    (local.set $matrix4 (f64.load offset=160 (local.get $args)))
    (local.set $matrix5 (f64.load offset=168 (local.get $args)))
    (local.set $matrix6 (f64.load offset=176 (local.get $args)))
    (local.set $matrix7 (f64.load offset=184 (local.get $args)))
    (local.set $matrix8 (f64.load offset=192 (local.get $args)))
    (local.set $periodic0 (i32.load offset=200 (local.get $args)))
    (local.set $periodic1 (i32.load offset=208 (local.get $args)))
    (local.set $periodic2 (i32.load offset=216 (local.get $args)))
    (local.set $lower0 (f64.load offset=224 (local.get $args)))
    (local.set $lower1 (f64.load offset=232 (local.get $args)))
    (local.set $lower2 (f64.load offset=240 (local.get $args)))
    (local.set $scale0 (f64.load offset=248 (local.get $args)))
    (local.set $scale1 (f64.load offset=256 (local.get $args)))
    (local.set $scale2 (f64.load offset=264 (local.get $args)))
    (local.set $dims0 (i32.load offset=272 (local.get $args)))
    (local.set $dims1 (i32.load offset=280 (local.get $args)))
    (local.set $dims2 (i32.load offset=288 (local.get $args)))
    (local.set $images (i32.load offset=296 (local.get $args)))
    (local.set $row (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $row) (local.get $end))))
        (local.set $position:row
          (i32.add (local.get $position) (i32.shl (local.get $row) (i32.const 5))))
        (local.set $rx (f64.load (local.get $position:row)))
        (local.set $ry (f64.load offset=8 (local.get $position:row)))
        (local.set $rz (f64.load offset=16 (local.get $position:row)))
        ;; fraction
        (local.set $xFromOrigin (f64.sub (local.get $rx) (local.get $origin0)))
        (local.set $yFromOrigin (f64.sub (local.get $ry) (local.get $origin1)))
        (local.set $zFromOrigin (f64.sub (local.get $rz) (local.get $origin2)))
        (local.set $fractionA
          (f64.add
            (f64.add
              (f64.mul (local.get $xFromOrigin) (local.get $inverse0))
              (f64.mul (local.get $yFromOrigin) (local.get $inverse3)))
            (f64.mul (local.get $zFromOrigin) (local.get $inverse6))))
        (local.set $fractionB
          (f64.add
            (f64.add
              (f64.mul (local.get $xFromOrigin) (local.get $inverse1))
              (f64.mul (local.get $yFromOrigin) (local.get $inverse4)))
            (f64.mul (local.get $zFromOrigin) (local.get $inverse7))))
        (local.set $fractionC
          (f64.add
            (f64.add
              (f64.mul (local.get $xFromOrigin) (local.get $inverse2))
              (f64.mul (local.get $yFromOrigin) (local.get $inverse5)))
            (f64.mul (local.get $zFromOrigin) (local.get $inverse8))))
        ;; wrap
        (local.set $boxesA
          (select (f64.floor (local.get $fractionA)) (f64.const 0) (local.get $periodic0)))
        (local.set $boxesB
          (select (f64.floor (local.get $fractionB)) (f64.const 0) (local.get $periodic1)))
        (local.set $boxesC
          (select (f64.floor (local.get $fractionC)) (f64.const 0) (local.get $periodic2)))
        (if
          (i32.or
            (i32.or
              (f64.ne (local.get $boxesA) (f64.const 0))
              (f64.ne (local.get $boxesB) (f64.const 0)))
            (f64.ne (local.get $boxesC) (f64.const 0)))
          (then
            (local.set $rx
              (f64.sub
                (local.get $rx)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $boxesA) (local.get $matrix0))
                    (f64.mul (local.get $boxesB) (local.get $matrix3)))
                  (f64.mul (local.get $boxesC) (local.get $matrix6)))))
            (f64.store (local.get $position:row) (local.get $rx))
            (local.set $ry
              (f64.sub
                (local.get $ry)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $boxesA) (local.get $matrix1))
                    (f64.mul (local.get $boxesB) (local.get $matrix4)))
                  (f64.mul (local.get $boxesC) (local.get $matrix7)))))
            (f64.store offset=8 (local.get $position:row) (local.get $ry))
            (local.set $rz
              (f64.sub
                (local.get $rz)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $boxesA) (local.get $matrix2))
                    (f64.mul (local.get $boxesB) (local.get $matrix5)))
                  (f64.mul (local.get $boxesC) (local.get $matrix8)))))
            (f64.store offset=16 (local.get $position:row) (local.get $rz))
            (local.set $xFromOrigin#2 (f64.sub (local.get $rx) (local.get $origin0)))
            (local.set $yFromOrigin#2 (f64.sub (local.get $ry) (local.get $origin1)))
            (local.set $zFromOrigin#2 (f64.sub (local.get $rz) (local.get $origin2)))
            (local.set $fractionA
              (f64.add
                (f64.add
                  (f64.mul (local.get $xFromOrigin#2) (local.get $inverse0))
                  (f64.mul (local.get $yFromOrigin#2) (local.get $inverse3)))
                (f64.mul (local.get $zFromOrigin#2) (local.get $inverse6))))
            (local.set $fractionB
              (f64.add
                (f64.add
                  (f64.mul (local.get $xFromOrigin#2) (local.get $inverse1))
                  (f64.mul (local.get $yFromOrigin#2) (local.get $inverse4)))
                (f64.mul (local.get $zFromOrigin#2) (local.get $inverse7))))
            (local.set $fractionC
              (f64.add
                (f64.add
                  (f64.mul (local.get $xFromOrigin#2) (local.get $inverse2))
                  (f64.mul (local.get $yFromOrigin#2) (local.get $inverse5)))
                (f64.mul (local.get $zFromOrigin#2) (local.get $inverse8))))
            (if
              (local.get $images)
              (then
                (local.set $images:row
                  (i32.add (local.get $images) (i32.shl (local.get $row) (i32.const 4))))
                (i32.store
                  (local.get $images:row)
                  (i32.add (i32.load (local.get $images:row)) (i32.trunc_sat_f64_s (local.get $boxesA))))
                (i32.store offset=4
                  (local.get $images:row)
                  (i32.add
                    (i32.load offset=4 (local.get $images:row))
                    (i32.trunc_sat_f64_s (local.get $boxesB))))
                (i32.store offset=8
                  (local.get $images:row)
                  (i32.add
                    (i32.load offset=8 (local.get $images:row))
                    (i32.trunc_sat_f64_s (local.get $boxesC))))))
            ;; outside by less than a rounding it came to the other face: it goes back
            (local.set $boxesA#2
              (select (f64.floor (local.get $fractionA)) (f64.const 0) (local.get $periodic0)))
            (local.set $boxesB#2
              (select (f64.floor (local.get $fractionB)) (f64.const 0) (local.get $periodic1)))
            (local.set $boxesC#2
              (select (f64.floor (local.get $fractionC)) (f64.const 0) (local.get $periodic2)))
            (local.set $rx
              (f64.sub
                (local.get $rx)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $boxesA#2) (local.get $matrix0))
                    (f64.mul (local.get $boxesB#2) (local.get $matrix3)))
                  (f64.mul (local.get $boxesC#2) (local.get $matrix6)))))
            (f64.store (local.get $position:row) (local.get $rx))
            (local.set $ry
              (f64.sub
                (local.get $ry)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $boxesA#2) (local.get $matrix1))
                    (f64.mul (local.get $boxesB#2) (local.get $matrix4)))
                  (f64.mul (local.get $boxesC#2) (local.get $matrix7)))))
            (f64.store offset=8 (local.get $position:row) (local.get $ry))
            (local.set $rz
              (f64.sub
                (local.get $rz)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $boxesA#2) (local.get $matrix2))
                    (f64.mul (local.get $boxesB#2) (local.get $matrix5)))
                  (f64.mul (local.get $boxesC#2) (local.get $matrix8)))))
            (f64.store offset=16 (local.get $position:row) (local.get $rz))
            (local.set $xFromOrigin#3 (f64.sub (local.get $rx) (local.get $origin0)))
            (local.set $yFromOrigin#3 (f64.sub (local.get $ry) (local.get $origin1)))
            (local.set $zFromOrigin#3 (f64.sub (local.get $rz) (local.get $origin2)))
            (local.set $fractionA
              (f64.add
                (f64.add
                  (f64.mul (local.get $xFromOrigin#3) (local.get $inverse0))
                  (f64.mul (local.get $yFromOrigin#3) (local.get $inverse3)))
                (f64.mul (local.get $zFromOrigin#3) (local.get $inverse6))))
            (local.set $fractionB
              (f64.add
                (f64.add
                  (f64.mul (local.get $xFromOrigin#3) (local.get $inverse1))
                  (f64.mul (local.get $yFromOrigin#3) (local.get $inverse4)))
                (f64.mul (local.get $zFromOrigin#3) (local.get $inverse7))))
            (local.set $fractionC
              (f64.add
                (f64.add
                  (f64.mul (local.get $xFromOrigin#3) (local.get $inverse2))
                  (f64.mul (local.get $yFromOrigin#3) (local.get $inverse5)))
                (f64.mul (local.get $zFromOrigin#3) (local.get $inverse8))))
            (if
              (local.get $images)
              (then
                (local.set $images:row#2
                  (i32.add (local.get $images) (i32.shl (local.get $row) (i32.const 4))))
                (i32.store
                  (local.get $images:row#2)
                  (i32.add
                    (i32.load (local.get $images:row#2))
                    (i32.trunc_sat_f64_s (local.get $boxesA#2))))
                (i32.store offset=4
                  (local.get $images:row#2)
                  (i32.add
                    (i32.load offset=4 (local.get $images:row#2))
                    (i32.trunc_sat_f64_s (local.get $boxesB#2))))
                (i32.store offset=8
                  (local.get $images:row#2)
                  (i32.add
                    (i32.load offset=8 (local.get $images:row#2))
                    (i32.trunc_sat_f64_s (local.get $boxesC#2))))))))
        ;; check: x − x is 0 for finite numbers only
        (if
          (i32.eqz
            (i32.and
              (i32.and
                (f64.eq (f64.sub (local.get $fractionA) (local.get $fractionA)) (f64.const 0))
                (f64.eq (f64.sub (local.get $fractionB) (local.get $fractionB)) (f64.const 0)))
              (f64.eq (f64.sub (local.get $fractionC) (local.get $fractionC)) (f64.const 0))))
          (then
            (local.set $bad:thread
              (i32.add (local.get $bad) (i32.shl (local.get $thread) (i32.const 2))))
            (if
              (i32.lt_s (i32.load (local.get $bad:thread)) (i32.const 0))
              (then
                (i32.store (local.get $bad:thread) (local.get $row))))))
        ;; cell
        (local.set $cellA
          (i32.trunc_sat_f64_s
            (f64.mul (f64.sub (local.get $fractionA) (local.get $lower0)) (local.get $scale0))))
        (local.set $cellA
          (select (local.get $cellA) (i32.const 0) (i32.gt_s (local.get $cellA) (i32.const 0))))
        (local.set $cellA
          (select
            (local.get $cellA)
            (i32.sub (local.get $dims0) (i32.const 1))
            (i32.lt_s (local.get $cellA) (i32.sub (local.get $dims0) (i32.const 1)))))
        (local.set $cellB
          (i32.trunc_sat_f64_s
            (f64.mul (f64.sub (local.get $fractionB) (local.get $lower1)) (local.get $scale1))))
        (local.set $cellB
          (select (local.get $cellB) (i32.const 0) (i32.gt_s (local.get $cellB) (i32.const 0))))
        (local.set $cellB
          (select
            (local.get $cellB)
            (i32.sub (local.get $dims1) (i32.const 1))
            (i32.lt_s (local.get $cellB) (i32.sub (local.get $dims1) (i32.const 1)))))
        (local.set $cellC
          (i32.trunc_sat_f64_s
            (f64.mul (f64.sub (local.get $fractionC) (local.get $lower2)) (local.get $scale2))))
        (local.set $cellC
          (select (local.get $cellC) (i32.const 0) (i32.gt_s (local.get $cellC) (i32.const 0))))
        (local.set $cellC
          (select
            (local.get $cellC)
            (i32.sub (local.get $dims2) (i32.const 1))
            (i32.lt_s (local.get $cellC) (i32.sub (local.get $dims2) (i32.const 1)))))
        (i32.store
          (i32.add (local.get $keys) (i32.shl (local.get $row) (i32.const 2)))
          (i32.add
            (i32.mul
              (i32.load
                (i32.add
                  (local.get $place)
                  (i32.shl
                    (i32.add (i32.mul (local.get $cellC) (local.get $dims1)) (local.get $cellB))
                    (i32.const 2))))
              (local.get $dims0))
            (local.get $cellA)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $b1)))))
