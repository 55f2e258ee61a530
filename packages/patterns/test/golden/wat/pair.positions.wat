;; pair.fixedPoint
;;
;; Positions as 32-bit whole numbers, rows {x y z 0}; they wrap around at four list radii.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $source i32) (local $target i32) (local $scale.lanes v128) (local $scale f64)
    (local $constant v128) (local $constant#2 v128) (local $k i32) (local $source:k i32)
    (local $target:k i32) (local $v13 v128) (local $v14 v128)
    (local.set $source (i32.load (local.get $args)))
    (local.set $target (i32.load offset=8 (local.get $args)))
    (local.set $scale (f64.load offset=16 (local.get $args)))
    (local.set $constant (v128.const i32x4 0x00000000 0x41f00000 0x00000000 0x41f00000))
    (local.set $constant#2 (v128.const i32x4 0x00000000 0x3df00000 0x00000000 0x3df00000))
    (local.set $scale.lanes (f64x2.splat (local.get $scale)))
    (local.set $k (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $source:k (i32.add (local.get $source) (i32.shl (local.get $k) (i32.const 5))))
        (local.set $target:k (i32.add (local.get $target) (i32.shl (local.get $k) (i32.const 4))))
        (local.set $v13
          (f64x2.mul (v128.load align=4 (local.get $source:k)) (local.get $scale.lanes)))
        (v128.store64_lane 0
          (local.get $target:k)
          (i32x4.trunc_sat_f64x2_s_zero
            (f64x2.nearest
              (f64x2.sub
                (local.get $v13)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v13) (local.get $constant#2)))
                  (local.get $constant))))))
        (local.set $v14
          (f64x2.mul (v128.load64_zero offset=16 (local.get $source:k)) (local.get $scale.lanes)))
        (v128.store64_lane offset=8 0
          (local.get $target:k)
          (i32x4.trunc_sat_f64x2_s_zero
            (f64x2.nearest
              (f64x2.sub
                (local.get $v14)
                (f64x2.mul
                  (f64x2.nearest (f64x2.mul (local.get $v14) (local.get $constant#2)))
                  (local.get $constant))))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))))
