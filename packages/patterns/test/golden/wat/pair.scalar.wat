;; attract
;;
;; Pair functor 'attract' over entries begin … end − 1 of a half neighbor list, one neighbor at a time.
;;   walk      neighbors of the entry, displacement, cutoff
;;   call      the functor, with real branches; neighbors receive their share
;;   store     sums go to the row of the particle
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $threads i32)
    (local $threads:thread i32) (local $threads:thread@0 i32) (local $threads:thread@4 i32)
    (local $threads:thread@8 i32) (local $threads:thread@24 i32) (local $p.sigma2 f64)
    (local $p.epsilon f64) (local $d15 f64) (local $d16 f64) (local $d17 f64) (local $d18 f64)
    (local $i19 i32) (local $i20 i32) (local $i21 i32) (local $i22 i32) (local $i23 i32)
    (local $d24 f64) (local $d25 f64) (local $d26 f64) (local $i27 i32) (local $i28 i32)
    (local $i29 i32) (local $i30 i32) (local $d31 f64) (local $d32 f64) (local $d33 f64)
    (local $d34 f64) (local $d35 f64) (local $d36 f64) (local $d37 f64) (local $d38 f64)
    (local $inverse f64) (local $s2 f64) (local $s6 f64) (local $f f64) (local $d43 f64)
    (local $i44 i32) (local $d45 f64) (local $i46 i32) (local $d47 f64) (local $i48 i32)
    (local $i49 i32) (local $i50 i32) (local $i51 i32)
    (local.set $positions (i32.load (local.get $args)))
    (local.set $shifts (i32.load offset=8 (local.get $args)))
    (local.set $cutoff2 (f64.load offset=16 (local.get $args)))
    (local.set $threads (i32.load offset=24 (local.get $args)))
    (local.set $threads:thread
      (i32.add (local.get $threads) (i32.mul (local.get $thread) (i32.const 28))))
    (local.set $threads:thread@0 (i32.load (local.get $threads:thread)))
    (local.set $threads:thread@4 (i32.load offset=4 (local.get $threads:thread)))
    (local.set $threads:thread@8 (i32.load offset=8 (local.get $threads:thread)))
    (local.set $threads:thread@24 (i32.load offset=24 (local.get $threads:thread)))
    (local.set $p.sigma2 (f64.load offset=32 (local.get $args)))
    (local.set $p.epsilon (f64.load offset=40 (local.get $args)))
    (local.set $d18 (f64.mul (f64.const 24) (local.get $p.epsilon)))
    (local.set $i19
      (i32.add
        (local.get $threads:thread@0)
        (i32.shl (i32.sub (local.get $begin) (local.get $threads:thread@8)) (i32.const 4))))
    (local.set $i20
      (i32.add
        (local.get $threads:thread@0)
        (i32.shl (i32.sub (local.get $end) (local.get $threads:thread@8)) (i32.const 4))))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_u (local.get $i19) (local.get $i20))))
        (local.set $i21 (i32.load (local.get $i19)))
        (local.set $i22 (i32.add (local.get $positions) (i32.shl (local.get $i21) (i32.const 5))))
        (local.set $i23
          (i32.add (local.get $shifts) (i32.shl (i32.load offset=4 (local.get $i19)) (i32.const 5))))
        (local.set $d24 (f64.add (f64.load (local.get $i22)) (f64.load (local.get $i23))))
        (local.set $d25
          (f64.add (f64.load offset=8 (local.get $i22)) (f64.load offset=8 (local.get $i23))))
        (local.set $d26
          (f64.add (f64.load offset=16 (local.get $i22)) (f64.load offset=16 (local.get $i23))))
        (local.set $d15 (f64.const 0))
        (local.set $d16 (f64.const 0))
        (local.set $d17 (f64.const 0))
        ;; walk and call
        (local.set $i27
          (i32.add
            (local.get $threads:thread@4)
            (i32.shl (i32.load offset=8 (local.get $i19)) (i32.const 2))))
        (local.set $i28
          (i32.add
            (local.get $threads:thread@4)
            (i32.shl (i32.load offset=12 (local.get $i19)) (i32.const 2))))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_u (local.get $i27) (local.get $i28))))
            (local.set $i29 (i32.load (local.get $i27)))
            (local.set $i30
              (i32.add (local.get $positions) (i32.shl (local.get $i29) (i32.const 5))))
            (local.set $d31 (f64.sub (local.get $d24) (f64.load (local.get $i30))))
            (local.set $d32 (f64.sub (local.get $d25) (f64.load offset=8 (local.get $i30))))
            (local.set $d33 (f64.sub (local.get $d26) (f64.load offset=16 (local.get $i30))))
            (local.set $d34
              (f64.add
                (f64.add
                  (f64.mul (local.get $d31) (local.get $d31))
                  (f64.mul (local.get $d32) (local.get $d32)))
                (f64.mul (local.get $d33) (local.get $d33))))
            (if
              (f64.lt (local.get $d34) (local.get $cutoff2))
              (then
                (local.set $d35 (local.get $d31))
                (local.set $d36 (local.get $d32))
                (local.set $d37 (local.get $d33))
                (local.set $d38 (local.get $d34))
                (block $b4
                  (local.set $inverse (f64.div (f64.const 1) (local.get $d38)))
                  (local.set $s2 (f64.mul (local.get $p.sigma2) (local.get $inverse)))
                  (local.set $s6 (f64.mul (f64.mul (local.get $s2) (local.get $s2)) (local.get $s2)))
                  (local.set $f
                    (f64.mul
                      (f64.mul
                        (f64.mul (local.get $d18) (local.get $s6))
                        (f64.sub (f64.mul (f64.const 2) (local.get $s6)) (f64.const 1)))
                      (local.get $inverse)))
                  (local.set $d43 (f64.mul (local.get $f) (local.get $d35)))
                  (local.set $d15 (f64.add (local.get $d15) (local.get $d43)))
                  (local.set $i44
                    (i32.add
                      (i32.add
                        (local.get $threads:thread@24)
                        (i32.shl (local.get $i29) (i32.const 5)))
                      (i32.const 0)))
                  (f64.store (local.get $i44) (f64.sub (f64.load (local.get $i44)) (local.get $d43)))
                  (local.set $d45 (f64.mul (local.get $f) (local.get $d36)))
                  (local.set $d16 (f64.add (local.get $d16) (local.get $d45)))
                  (local.set $i46
                    (i32.add
                      (i32.add
                        (local.get $threads:thread@24)
                        (i32.shl (local.get $i29) (i32.const 5)))
                      (i32.const 8)))
                  (f64.store (local.get $i46) (f64.sub (f64.load (local.get $i46)) (local.get $d45)))
                  (local.set $d47 (f64.mul (local.get $f) (local.get $d37)))
                  (local.set $d17 (f64.add (local.get $d17) (local.get $d47)))
                  (local.set $i48
                    (i32.add
                      (i32.add
                        (local.get $threads:thread@24)
                        (i32.shl (local.get $i29) (i32.const 5)))
                      (i32.const 16)))
                  (f64.store (local.get $i48) (f64.sub (f64.load (local.get $i48)) (local.get $d47))))))
            (local.set $i27 (i32.add (local.get $i27) (i32.const 4)))
            (br $b3)))
        ;; store
        (local.set $i49
          (i32.add
            (i32.add (local.get $threads:thread@24) (i32.shl (local.get $i21) (i32.const 5)))
            (i32.const 0)))
        (f64.store (local.get $i49) (f64.add (f64.load (local.get $i49)) (local.get $d15)))
        (local.set $i50
          (i32.add
            (i32.add (local.get $threads:thread@24) (i32.shl (local.get $i21) (i32.const 5)))
            (i32.const 8)))
        (f64.store (local.get $i50) (f64.add (f64.load (local.get $i50)) (local.get $d16)))
        (local.set $i51
          (i32.add
            (i32.add (local.get $threads:thread@24) (i32.shl (local.get $i21) (i32.const 5)))
            (i32.const 16)))
        (f64.store (local.get $i51) (f64.add (f64.load (local.get $i51)) (local.get $d17)))
        (local.set $i19 (i32.add (local.get $i19) (i32.const 16)))
        (br $b1)))))
