;; neighbors.coordinates
;;
;; Coordinates in single precision, relative to a reference point, for the search; and a backup of the rows.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $position i32) (local $backup i32) (local $x i32) (local $y i32) (local $z i32)
    (local $reference0 f64) (local $reference1 f64) (local $reference2 f64) (local $k i32)
    (local $position:k i32) (local $backup:k i32)
    (local.set $position (i32.load (local.get $args)))
    (local.set $backup (i32.load offset=8 (local.get $args)))
    (local.set $x (i32.load offset=16 (local.get $args)))
    (local.set $y (i32.load offset=24 (local.get $args)))
    (local.set $z (i32.load offset=32 (local.get $args)))
    (local.set $reference0 (f64.load offset=40 (local.get $args)))
    (local.set $reference1 (f64.load offset=48 (local.get $args)))
    (local.set $reference2 (f64.load offset=56 (local.get $args)))
    (local.set $k (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $position:k
          (i32.add (local.get $position) (i32.shl (local.get $k) (i32.const 5))))
        (local.set $backup:k (i32.add (local.get $backup) (i32.shl (local.get $k) (i32.const 5))))
        (v128.store align=4 (local.get $backup:k) (v128.load align=4 (local.get $position:k)))
        (v128.store offset=16 align=4
          (local.get $backup:k)
          (v128.load offset=16 align=4 (local.get $position:k)))
        (f32.store
          (i32.add (local.get $x) (i32.shl (local.get $k) (i32.const 2)))
          (f32.demote_f64 (f64.sub (f64.load (local.get $position:k)) (local.get $reference0))))
        (f32.store
          (i32.add (local.get $y) (i32.shl (local.get $k) (i32.const 2)))
          (f32.demote_f64
            (f64.sub (f64.load offset=8 (local.get $position:k)) (local.get $reference1))))
        (f32.store
          (i32.add (local.get $z) (i32.shl (local.get $k) (i32.const 2)))
          (f32.demote_f64
            (f64.sub (f64.load offset=16 (local.get $position:k)) (local.get $reference2))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))))
