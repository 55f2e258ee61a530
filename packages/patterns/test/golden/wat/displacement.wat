;; neighbors.displacement
;;
;; Largest squared displacement since the backup; NaN stays NaN.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $position i32) (local $backup i32) (local $largest i32) (local $largest:thread i32)
    (local $best v128) (local $k i32) (local $position:k i32) (local $backup:k i32) (local $xy v128)
    (local $z f64) (local $xy.squares v128)
    (local.set $position (i32.load (local.get $args)))
    (local.set $backup (i32.load offset=8 (local.get $args)))
    (local.set $largest (i32.load offset=16 (local.get $args)))
    (local.set $largest:thread
      (i32.add (local.get $largest) (i32.shl (local.get $thread) (i32.const 3))))
    (local.set $best (f64x2.splat (f64.load (local.get $largest:thread))))
    (local.set $k (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $position:k
          (i32.add (local.get $position) (i32.shl (local.get $k) (i32.const 5))))
        (local.set $backup:k (i32.add (local.get $backup) (i32.shl (local.get $k) (i32.const 5))))
        (local.set $xy
          (f64x2.sub
            (v128.load align=4 (local.get $position:k))
            (v128.load align=4 (local.get $backup:k))))
        (local.set $z
          (f64.sub
            (f64.load offset=16 (local.get $position:k))
            (f64.load offset=16 (local.get $backup:k))))
        (local.set $xy.squares (f64x2.mul (local.get $xy) (local.get $xy)))
        (local.set $best
          (f64x2.max
            (local.get $best)
            (f64x2.splat
              (f64.add
                (f64.add
                  (f64x2.extract_lane 0 (local.get $xy.squares))
                  (f64x2.extract_lane 1 (local.get $xy.squares)))
                (f64.mul (local.get $z) (local.get $z))))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))
    (f64.store (local.get $largest:thread) (f64x2.extract_lane 0 (local.get $best)))))
