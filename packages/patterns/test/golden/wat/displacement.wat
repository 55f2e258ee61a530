;; neighbors.displacement
;;
;; Largest squared displacement since the backup; NaN stays NaN.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $position i32) (local $backup i32) (local $largest i32) (local $largest:thread i32)
    (local $best v128) (local $none v128) (local $k i32) (local $position:k i32)
    (local $backup:k i32) (local $xy v128) (local $z v128) (local $xy.squares v128) (local $r2 v128)
    (local.set $position (i32.load (local.get $args)))
    (local.set $backup (i32.load offset=8 (local.get $args)))
    (local.set $largest (i32.load offset=16 (local.get $args)))
    (local.set $largest:thread
      (i32.add (local.get $largest) (i32.shl (local.get $thread) (i32.const 3))))
    (local.set $best (f64x2.splat (f64.load (local.get $largest:thread))))
    (local.set $none (f64x2.ne (local.get $best) (local.get $best)))
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
          (f64x2.sub
            (v128.load64_splat offset=16 (local.get $position:k))
            (v128.load64_splat offset=16 (local.get $backup:k))))
        (local.set $xy.squares (f64x2.mul (local.get $xy) (local.get $xy)))
        (local.set $r2
          (f64x2.add
            (f64x2.add
              (local.get $xy.squares)
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
                (local.get $xy.squares)
                (local.get $xy.squares)))
            (f64x2.mul (local.get $z) (local.get $z))))
        (local.set $best (f64x2.pmax (local.get $best) (local.get $r2)))
        (local.set $none (v128.or (local.get $none) (f64x2.ne (local.get $r2) (local.get $r2))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))
    (f64.store
      (local.get $largest:thread)
      (f64x2.extract_lane 0 (v128.or (local.get $best) (local.get $none))))))
