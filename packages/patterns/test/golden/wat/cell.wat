;; kick
;;
;; Cell functor 'kick' over particles begin … end − 1, two at a time.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $block.velocity i32) (local $row.velocity i32) (local $block.force i32)
    (local $row.force i32) (local $block.mass i32) (local $row.mass i32) (local $i.vx v128)
    (local $i.vy v128) (local $i.vz v128) (local $velocity.3 v128) (local $i.fx v128)
    (local $i.fy v128) (local $i.fz v128) (local $force.3 v128) (local $i.mass v128)
    (local $endOfPairs i32) (local $row i32) (local $row.velocity@0 v128)
    (local $row.velocity@32 v128) (local $row.velocity@16 v128) (local $row.velocity@48 v128)
    (local $row.force@0 v128) (local $row.force@32 v128) (local $row.force@16 v128)
    (local $row.force@48 v128) (local $p.halfDt f64) (local $p.halfDt.lanes v128) (local $s v128)
    (local $constant v128) (local $row.velocity@0#2 v128) (local $row.velocity@32#2 v128)
    (local $row.velocity@16#2 v128) (local $row.velocity@48#2 v128) (local $row.force@0#2 v128)
    (local $row.force@32#2 v128) (local $row.force@16#2 v128) (local $row.force@48#2 v128)
    (local $s#2 v128)
    (local.set $block.velocity (i32.load (local.get $args)))
    (local.set $block.force (i32.load offset=8 (local.get $args)))
    (local.set $block.mass (i32.load offset=16 (local.get $args)))
    (local.set $p.halfDt (f64.load offset=24 (local.get $args)))
    (local.set $p.halfDt.lanes (f64x2.splat (local.get $p.halfDt)))
    (local.set $constant (v128.const i32x4 0xffffffff 0xffffffff 0x00000000 0x00000000))
    (local.set $endOfPairs (i32.and (local.get $end) (i32.const -2)))
    (local.set $row.velocity
      (i32.add (local.get $block.velocity) (i32.mul (local.get $begin) (i32.const 32))))
    (local.set $row.force
      (i32.add (local.get $block.force) (i32.mul (local.get $begin) (i32.const 32))))
    (local.set $row.mass
      (i32.add (local.get $block.mass) (i32.mul (local.get $begin) (i32.const 8))))
    (local.set $row (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $row) (local.get $endOfPairs))))
        ;; load the fields of the particle, call the functor, store what it wrote
        (local.set $row.velocity@0 (v128.load align=4 (local.get $row.velocity)))
        (local.set $row.velocity@32 (v128.load offset=32 align=4 (local.get $row.velocity)))
        (local.set $i.vx
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.velocity@0)
            (local.get $row.velocity@32)))
        (local.set $i.vy
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.velocity@0)
            (local.get $row.velocity@32)))
        (local.set $row.velocity@16 (v128.load offset=16 align=4 (local.get $row.velocity)))
        (local.set $row.velocity@48 (v128.load offset=48 align=4 (local.get $row.velocity)))
        (local.set $i.vz
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.velocity@16)
            (local.get $row.velocity@48)))
        (local.set $velocity.3
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.velocity@16)
            (local.get $row.velocity@48)))
        (local.set $row.force@0 (v128.load align=4 (local.get $row.force)))
        (local.set $row.force@32 (v128.load offset=32 align=4 (local.get $row.force)))
        (local.set $i.fx
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.force@0)
            (local.get $row.force@32)))
        (local.set $i.fy
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.force@0)
            (local.get $row.force@32)))
        (local.set $row.force@16 (v128.load offset=16 align=4 (local.get $row.force)))
        (local.set $row.force@48 (v128.load offset=48 align=4 (local.get $row.force)))
        (local.set $i.fz
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.force@16)
            (local.get $row.force@48)))
        (local.set $force.3
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.force@16)
            (local.get $row.force@48)))
        (local.set $i.mass (v128.load align=4 (local.get $row.mass)))
        (block $b2
          (local.set $s (f64x2.div (local.get $p.halfDt.lanes) (local.get $i.mass)))
          (local.set $i.vx
            (f64x2.add (local.get $i.vx) (f64x2.mul (local.get $s) (local.get $i.fx))))
          (local.set $i.vy
            (f64x2.add (local.get $i.vy) (f64x2.mul (local.get $s) (local.get $i.fy))))
          (local.set $i.vz
            (f64x2.add (local.get $i.vz) (f64x2.mul (local.get $s) (local.get $i.fz)))))
        (v128.store align=4
          (local.get $row.velocity)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $i.vx)
            (local.get $i.vy)))
        (v128.store offset=32 align=4
          (local.get $row.velocity)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $i.vx)
            (local.get $i.vy)))
        (v128.store offset=16 align=4
          (local.get $row.velocity)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $i.vz)
            (local.get $velocity.3)))
        (v128.store offset=48 align=4
          (local.get $row.velocity)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $i.vz)
            (local.get $velocity.3)))
        (local.set $row.velocity (i32.add (local.get $row.velocity) (i32.const 64)))
        (local.set $row.force (i32.add (local.get $row.force) (i32.const 64)))
        (local.set $row.mass (i32.add (local.get $row.mass) (i32.const 16)))
        (local.set $row (i32.add (local.get $row) (i32.const 2)))
        (br $b1)))
    (if
      (i32.and (local.get $end) (i32.const 1))
      (then
        ;; load the fields of the particle, call the functor, store what it wrote
        (local.set $row.velocity@0#2 (v128.load align=4 (local.get $row.velocity)))
        (local.set $row.velocity@32#2 (v128.load offset=32 align=4 (local.get $row.velocity)))
        (local.set $i.vx
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.velocity@0#2)
            (local.get $row.velocity@32#2)))
        (local.set $i.vy
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.velocity@0#2)
            (local.get $row.velocity@32#2)))
        (local.set $row.velocity@16#2 (v128.load offset=16 align=4 (local.get $row.velocity)))
        (local.set $row.velocity@48#2 (v128.load offset=48 align=4 (local.get $row.velocity)))
        (local.set $i.vz
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.velocity@16#2)
            (local.get $row.velocity@48#2)))
        (local.set $velocity.3
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.velocity@16#2)
            (local.get $row.velocity@48#2)))
        (local.set $row.force@0#2 (v128.load align=4 (local.get $row.force)))
        (local.set $row.force@32#2 (v128.load offset=32 align=4 (local.get $row.force)))
        (local.set $i.fx
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.force@0#2)
            (local.get $row.force@32#2)))
        (local.set $i.fy
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.force@0#2)
            (local.get $row.force@32#2)))
        (local.set $row.force@16#2 (v128.load offset=16 align=4 (local.get $row.force)))
        (local.set $row.force@48#2 (v128.load offset=48 align=4 (local.get $row.force)))
        (local.set $i.fz
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $row.force@16#2)
            (local.get $row.force@48#2)))
        (local.set $force.3
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $row.force@16#2)
            (local.get $row.force@48#2)))
        (local.set $i.mass (v128.load align=4 (local.get $row.mass)))
        (block $b3
          (local.set $s#2 (f64x2.div (local.get $p.halfDt.lanes) (local.get $i.mass)))
          (local.set $i.vx
            (f64x2.add
              (local.get $i.vx)
              (v128.and (f64x2.mul (local.get $s#2) (local.get $i.fx)) (local.get $constant))))
          (local.set $i.vy
            (f64x2.add
              (local.get $i.vy)
              (v128.and (f64x2.mul (local.get $s#2) (local.get $i.fy)) (local.get $constant))))
          (local.set $i.vz
            (f64x2.add
              (local.get $i.vz)
              (v128.and (f64x2.mul (local.get $s#2) (local.get $i.fz)) (local.get $constant)))))
        (v128.store align=4
          (local.get $row.velocity)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $i.vx) (local.get $i.vy)))
        (v128.store offset=32 align=4
          (local.get $row.velocity)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $i.vx)
            (local.get $i.vy)))
        (v128.store offset=16 align=4
          (local.get $row.velocity)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (local.get $i.vz)
            (local.get $velocity.3)))
        (v128.store offset=48 align=4
          (local.get $row.velocity)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $i.vz)
            (local.get $velocity.3)))
        (local.set $row.velocity (i32.add (local.get $row.velocity) (i32.const 64)))
        (local.set $row.force (i32.add (local.get $row.force) (i32.const 64)))
        (local.set $row.mass (i32.add (local.get $row.mass) (i32.const 16)))))))
