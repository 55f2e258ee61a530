;; neighbors.displacement
;;
;; Largest squared displacement since the backup; NaN stays NaN.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $position i32) (local $backup i32) (local $largest i32) (local $i7 i32) (local $v8 v128)
    (local $i9 i32) (local $i10 i32) (local $i11 i32) (local $v12 v128) (local $d13 f64)
    (local $v14 v128)
    (local.set $position (i32.load (local.get $args)))
    (local.set $backup (i32.load offset=8 (local.get $args)))
    (local.set $largest (i32.load offset=16 (local.get $args)))
    (local.set $i7 (i32.add (local.get $largest) (i32.shl (local.get $thread) (i32.const 3))))
    (local.set $v8 (f64x2.splat (f64.load (local.get $i7))))
    (local.set $i9 (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $i9) (local.get $end))))
        (local.set $i10 (i32.add (local.get $position) (i32.shl (local.get $i9) (i32.const 5))))
        (local.set $i11 (i32.add (local.get $backup) (i32.shl (local.get $i9) (i32.const 5))))
        (local.set $v12
          (f64x2.sub (v128.load align=4 (local.get $i10)) (v128.load align=4 (local.get $i11))))
        (local.set $d13
          (f64.sub (f64.load offset=16 (local.get $i10)) (f64.load offset=16 (local.get $i11))))
        (local.set $v14 (f64x2.mul (local.get $v12) (local.get $v12)))
        (local.set $v8
          (f64x2.max
            (local.get $v8)
            (f64x2.splat
              (f64.add
                (f64.add
                  (f64x2.extract_lane 0 (local.get $v14))
                  (f64x2.extract_lane 1 (local.get $v14)))
                (f64.mul (local.get $d13) (local.get $d13))))))
        (local.set $i9 (i32.add (local.get $i9) (i32.const 1)))
        (br $b1)))
    (f64.store (local.get $i7) (f64x2.extract_lane 0 (local.get $v8)))))
