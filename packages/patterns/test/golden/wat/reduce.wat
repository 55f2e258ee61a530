;; speeds
;;
;; Reduce functor 'speeds' over particles begin … end − 1, two at a time.
;; Every 256 particles leave a partial result.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $block.velocity i32) (local $row.velocity i32) (local $block.mass i32)
    (local $row.mass i32) (local $i.vx v128) (local $i.vy v128) (local $i.vz v128)
    (local $velocity.3 v128) (local $i.mass v128) (local $acc.energy v128) (local $acc.fastest v128)
    (local $partials i32) (local $k i32) (local $constant v128) (local $constant#2 v128)
    (local $stop i32) (local $last i32) (local $endOfPairs i32) (local $row i32)
    (local $row.velocity@0 v128) (local $row.velocity@32 v128) (local $row.velocity@16 v128)
    (local $row.velocity@48 v128) (local $v2 v128) (local $constant#3 v128)
    (local $row.velocity@0#2 v128) (local $row.velocity@32#2 v128) (local $row.velocity@16#2 v128)
    (local $row.velocity@48#2 v128) (local $v2#2 v128) (local $v34 v128) (local $partial i32)
    (local.set $block.velocity (i32.load (local.get $args)))
    (local.set $block.mass (i32.load offset=8 (local.get $args)))
    (local.set $partials (i32.load offset=16 (local.get $args)))
    (local.set $constant (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
    (local.set $constant#2 (v128.const i32x4 0x00000000 0xfff00000 0x00000000 0xfff00000))
    (local.set $constant#3 (v128.const i32x4 0xffffffff 0xffffffff 0x00000000 0x00000000))
    (local.set $k (local.get $begin))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $acc.energy (local.get $constant))
        (local.set $acc.fastest (local.get $constant#2))
        (local.set $stop (i32.add (local.get $k) (i32.const 256)))
        (local.set $last
          (select (local.get $stop) (local.get $end) (i32.lt_s (local.get $stop) (local.get $end))))
        (local.set $endOfPairs (i32.and (local.get $last) (i32.const -2)))
        (local.set $row.velocity
          (i32.add (local.get $block.velocity) (i32.mul (local.get $k) (i32.const 32))))
        (local.set $row.mass
          (i32.add (local.get $block.mass) (i32.mul (local.get $k) (i32.const 8))))
        (local.set $row (local.get $k))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_s (local.get $row) (local.get $endOfPairs))))
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
            (local.set $i.mass (v128.load align=4 (local.get $row.mass)))
            (block $b4
              (local.set $v2
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $i.vx) (local.get $i.vx))
                    (f64x2.mul (local.get $i.vy) (local.get $i.vy)))
                  (f64x2.mul (local.get $i.vz) (local.get $i.vz))))
              (local.set $acc.energy
                (f64x2.add
                  (local.get $acc.energy)
                  (f64x2.mul
                    (f64x2.mul
                      (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                      (local.get $i.mass))
                    (local.get $v2))))
              (local.set $acc.fastest (f64x2.max (local.get $acc.fastest) (local.get $v2))))
            (local.set $row.velocity (i32.add (local.get $row.velocity) (i32.const 64)))
            (local.set $row.mass (i32.add (local.get $row.mass) (i32.const 16)))
            (local.set $row (i32.add (local.get $row) (i32.const 2)))
            (br $b3)))
        (if
          (i32.and (local.get $last) (i32.const 1))
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
            (local.set $i.mass (v128.load align=4 (local.get $row.mass)))
            (block $b5
              (local.set $v2#2
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $i.vx) (local.get $i.vx))
                    (f64x2.mul (local.get $i.vy) (local.get $i.vy)))
                  (f64x2.mul (local.get $i.vz) (local.get $i.vz))))
              (local.set $acc.energy
                (f64x2.add
                  (local.get $acc.energy)
                  (v128.and
                    (f64x2.mul
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                        (local.get $i.mass))
                      (local.get $v2#2))
                    (local.get $constant#3))))
              (local.set $v34 (f64x2.max (local.get $acc.fastest) (local.get $v2#2)))
              (local.set $acc.fastest
                (v128.bitselect (local.get $v34) (local.get $acc.fastest) (local.get $constant#3))))
            (local.set $row.velocity (i32.add (local.get $row.velocity) (i32.const 64)))
            (local.set $row.mass (i32.add (local.get $row.mass) (i32.const 16)))))
        (local.set $partial
          (i32.add
            (local.get $partials)
            (i32.mul (i32.div_u (local.get $k) (i32.const 256)) (i32.const 16))))
        (f64.store
          (local.get $partial)
          (f64.add
            (f64x2.extract_lane 0 (local.get $acc.energy))
            (f64x2.extract_lane 1 (local.get $acc.energy))))
        (f64.store offset=8
          (local.get $partial)
          (f64.max
            (f64x2.extract_lane 0 (local.get $acc.fastest))
            (f64x2.extract_lane 1 (local.get $acc.fastest))))
        (local.set $k (i32.add (local.get $k) (i32.const 256)))
        (br $b1)))))
