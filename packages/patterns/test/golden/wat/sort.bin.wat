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
    (local $position i32) (local $keys i32) (local $bad i32) (local $origin0 f64)
    (local $origin1 f64) (local $origin2 f64) (local $inverse0 f64) (local $inverse1 f64)
    (local $inverse2 f64) (local $inverse3 f64) (local $inverse4 f64) (local $inverse5 f64)
    (local $inverse6 f64) (local $inverse7 f64) (local $inverse8 f64) (local $matrix0 f64)
    (local $matrix1 f64) (local $matrix2 f64) (local $matrix3 f64) (local $matrix4 f64)
    (local $matrix5 f64) (local $matrix6 f64) (local $matrix7 f64) (local $matrix8 f64)
    (local $periodic0 i32) (local $periodic1 i32) (local $periodic2 i32) (local $lower0 f64)
    (local $lower1 f64) (local $lower2 f64) (local $scale0 f64) (local $scale1 f64)
    (local $scale2 f64) (local $dims0 i32) (local $dims1 i32) (local $dims2 i32) (local $images i32)
    (local $d41 f64) (local $d42 f64) (local $d43 f64) (local $d44 f64) (local $d45 f64)
    (local $d46 f64) (local $i47 i32) (local $i48 i32) (local $i49 i32) (local $i50 i32)
    (local $i51 i32) (local $d52 f64) (local $d53 f64) (local $d54 f64) (local $d55 f64)
    (local $d56 f64) (local $d57 f64) (local $d58 f64) (local $d59 f64) (local $d60 f64)
    (local $i61 i32) (local $i62 i32)
    (local.set $position (i32.load (local.get $args)))
    (local.set $keys (i32.load offset=8 (local.get $args)))
    (local.set $bad (i32.load offset=16 (local.get $args)))
    (local.set $origin0 (f64.load offset=24 (local.get $args)))
    (local.set $origin1 (f64.load offset=32 (local.get $args)))
    (local.set $origin2 (f64.load offset=40 (local.get $args)))
    (local.set $inverse0 (f64.load offset=48 (local.get $args)))
    (local.set $inverse1 (f64.load offset=56 (local.get $args)))
    (local.set $inverse2 (f64.load offset=64 (local.get $args)))
    (local.set $inverse3 (f64.load offset=72 (local.get $args)))
    (local.set $inverse4 (f64.load offset=80 (local.get $args)))
    (local.set $inverse5 (f64.load offset=88 (local.get $args)))
    (local.set $inverse6 (f64.load offset=96 (local.get $args)))
    (local.set $inverse7 (f64.load offset=104 (local.get $args)))
    (local.set $inverse8 (f64.load offset=112 (local.get $args)))
    (local.set $matrix0 (f64.load offset=120 (local.get $args)))
    (local.set $matrix1 (f64.load offset=128 (local.get $args)))
    (local.set $matrix2 (f64.load offset=136 (local.get $args)))
    (local.set $matrix3 (f64.load offset=144 (local.get $args)))
    (local.set $matrix4 (f64.load offset=152 (local.get $args)))
    (local.set $matrix5 (f64.load offset=160 (local.get $args)))
    (local.set $matrix6 (f64.load offset=168 (local.get $args)))
    (local.set $matrix7 (f64.load offset=176 (local.get $args)))
    (local.set $matrix8 (f64.load offset=184 (local.get $args)))
    (local.set $periodic0 (i32.load offset=192 (local.get $args)))
    (local.set $periodic1 (i32.load offset=200 (local.get $args)))
    (local.set $periodic2 (i32.load offset=208 (local.get $args)))
    (local.set $lower0 (f64.load offset=216 (local.get $args)))
    (local.set $lower1 (f64.load offset=224 (local.get $args)))
    (local.set $lower2 (f64.load offset=232 (local.get $args)))
    (local.set $scale0 (f64.load offset=240 (local.get $args)))
    (local.set $scale1 (f64.load offset=248 (local.get $args)))
    (local.set $scale2 (f64.load offset=256 (local.get $args)))
    (local.set $dims0 (i32.load offset=264 (local.get $args)))
    (local.set $dims1 (i32.load offset=272 (local.get $args)))
    (local.set $dims2 (i32.load offset=280 (local.get $args)))
    (local.set $images (i32.load offset=288 (local.get $args)))
    (local.set $i50 (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $i50) (local.get $end))))
        (local.set $i51 (i32.add (local.get $position) (i32.shl (local.get $i50) (i32.const 5))))
        (local.set $d41 (f64.load (local.get $i51)))
        (local.set $d42 (f64.load offset=8 (local.get $i51)))
        (local.set $d43 (f64.load offset=16 (local.get $i51)))
        (local.set $d52 (f64.sub (local.get $d41) (local.get $origin0)))
        (local.set $d53 (f64.sub (local.get $d42) (local.get $origin1)))
        (local.set $d54 (f64.sub (local.get $d43) (local.get $origin2)))
        (local.set $d44
          (f64.add
            (f64.add
              (f64.mul (local.get $d52) (local.get $inverse0))
              (f64.mul (local.get $d53) (local.get $inverse3)))
            (f64.mul (local.get $d54) (local.get $inverse6))))
        (local.set $d45
          (f64.add
            (f64.add
              (f64.mul (local.get $d52) (local.get $inverse1))
              (f64.mul (local.get $d53) (local.get $inverse4)))
            (f64.mul (local.get $d54) (local.get $inverse7))))
        (local.set $d46
          (f64.add
            (f64.add
              (f64.mul (local.get $d52) (local.get $inverse2))
              (f64.mul (local.get $d53) (local.get $inverse5)))
            (f64.mul (local.get $d54) (local.get $inverse8))))
        (local.set $d55 (select (f64.floor (local.get $d44)) (f64.const 0) (local.get $periodic0)))
        (local.set $d56 (select (f64.floor (local.get $d45)) (f64.const 0) (local.get $periodic1)))
        (local.set $d57 (select (f64.floor (local.get $d46)) (f64.const 0) (local.get $periodic2)))
        (if
          (i32.or
            (i32.or (f64.ne (local.get $d55) (f64.const 0)) (f64.ne (local.get $d56) (f64.const 0)))
            (f64.ne (local.get $d57) (f64.const 0)))
          (then
            (local.set $d41
              (f64.sub
                (local.get $d41)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $d55) (local.get $matrix0))
                    (f64.mul (local.get $d56) (local.get $matrix3)))
                  (f64.mul (local.get $d57) (local.get $matrix6)))))
            (f64.store (local.get $i51) (local.get $d41))
            (local.set $d42
              (f64.sub
                (local.get $d42)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $d55) (local.get $matrix1))
                    (f64.mul (local.get $d56) (local.get $matrix4)))
                  (f64.mul (local.get $d57) (local.get $matrix7)))))
            (f64.store offset=8 (local.get $i51) (local.get $d42))
            (local.set $d43
              (f64.sub
                (local.get $d43)
                (f64.add
                  (f64.add
                    (f64.mul (local.get $d55) (local.get $matrix2))
                    (f64.mul (local.get $d56) (local.get $matrix5)))
                  (f64.mul (local.get $d57) (local.get $matrix8)))))
            (f64.store offset=16 (local.get $i51) (local.get $d43))
            (local.set $d58 (f64.sub (local.get $d41) (local.get $origin0)))
            (local.set $d59 (f64.sub (local.get $d42) (local.get $origin1)))
            (local.set $d60 (f64.sub (local.get $d43) (local.get $origin2)))
            (local.set $d44
              (f64.add
                (f64.add
                  (f64.mul (local.get $d58) (local.get $inverse0))
                  (f64.mul (local.get $d59) (local.get $inverse3)))
                (f64.mul (local.get $d60) (local.get $inverse6))))
            (local.set $d45
              (f64.add
                (f64.add
                  (f64.mul (local.get $d58) (local.get $inverse1))
                  (f64.mul (local.get $d59) (local.get $inverse4)))
                (f64.mul (local.get $d60) (local.get $inverse7))))
            (local.set $d46
              (f64.add
                (f64.add
                  (f64.mul (local.get $d58) (local.get $inverse2))
                  (f64.mul (local.get $d59) (local.get $inverse5)))
                (f64.mul (local.get $d60) (local.get $inverse8))))
            (if
              (local.get $images)
              (then
                (local.set $i61 (i32.add (local.get $images) (i32.shl (local.get $i50) (i32.const 4))))
                (i32.store
                  (local.get $i61)
                  (i32.add (i32.load (local.get $i61)) (i32.trunc_sat_f64_s (local.get $d55))))
                (i32.store offset=4
                  (local.get $i61)
                  (i32.add (i32.load offset=4 (local.get $i61)) (i32.trunc_sat_f64_s (local.get $d56))))
                (i32.store offset=8
                  (local.get $i61)
                  (i32.add (i32.load offset=8 (local.get $i61)) (i32.trunc_sat_f64_s (local.get $d57))))))))
        (if
          (i32.eqz
            (i32.and
              (i32.and
                (f64.eq (f64.sub (local.get $d44) (local.get $d44)) (f64.const 0))
                (f64.eq (f64.sub (local.get $d45) (local.get $d45)) (f64.const 0)))
              (f64.eq (f64.sub (local.get $d46) (local.get $d46)) (f64.const 0))))
          (then
            (local.set $i62 (i32.add (local.get $bad) (i32.shl (local.get $thread) (i32.const 2))))
            (if
              (i32.lt_s (i32.load (local.get $i62)) (i32.const 0))
              (then
                (i32.store (local.get $i62) (local.get $i50))))))
        (local.set $i47
          (i32.trunc_sat_f64_s
            (f64.mul (f64.sub (local.get $d44) (local.get $lower0)) (local.get $scale0))))
        (local.set $i47
          (select (local.get $i47) (i32.const 0) (i32.gt_s (local.get $i47) (i32.const 0))))
        (local.set $i47
          (select
            (local.get $i47)
            (i32.sub (local.get $dims0) (i32.const 1))
            (i32.lt_s (local.get $i47) (i32.sub (local.get $dims0) (i32.const 1)))))
        (local.set $i48
          (i32.trunc_sat_f64_s
            (f64.mul (f64.sub (local.get $d45) (local.get $lower1)) (local.get $scale1))))
        (local.set $i48
          (select (local.get $i48) (i32.const 0) (i32.gt_s (local.get $i48) (i32.const 0))))
        (local.set $i48
          (select
            (local.get $i48)
            (i32.sub (local.get $dims1) (i32.const 1))
            (i32.lt_s (local.get $i48) (i32.sub (local.get $dims1) (i32.const 1)))))
        (local.set $i49
          (i32.trunc_sat_f64_s
            (f64.mul (f64.sub (local.get $d46) (local.get $lower2)) (local.get $scale2))))
        (local.set $i49
          (select (local.get $i49) (i32.const 0) (i32.gt_s (local.get $i49) (i32.const 0))))
        (local.set $i49
          (select
            (local.get $i49)
            (i32.sub (local.get $dims2) (i32.const 1))
            (i32.lt_s (local.get $i49) (i32.sub (local.get $dims2) (i32.const 1)))))
        (i32.store
          (i32.add (local.get $keys) (i32.shl (local.get $i50) (i32.const 2)))
          (i32.add
            (i32.mul
              (i32.add (i32.mul (local.get $i49) (local.get $dims1)) (local.get $i48))
              (local.get $dims0))
            (local.get $i47)))
        (local.set $i50 (i32.add (local.get $i50) (i32.const 1)))
        (br $b1)))))
