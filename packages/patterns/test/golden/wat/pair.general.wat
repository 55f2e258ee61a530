;; nearest
;;
;; Pair functor 'nearest' over entries begin … end − 1 of a full neighbor list, one neighbor at a time.
;;   walk      neighbors of the entry, displacement, cutoff
;;   call      the functor, with real branches
;;   outputs are read and written in place
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $threads i32)
    (local $threads:thread i32) (local $threads:thread@0 i32) (local $threads:thread@4 i32)
    (local $threads:thread@8 i32) (local $threads:thread@24 i32) (local $d13 f64) (local $i14 i32)
    (local $i15 i32) (local $i16 i32) (local $i17 i32) (local $i18 i32) (local $d19 f64)
    (local $d20 f64) (local $d21 f64) (local $i22 i32) (local $i23 i32) (local $i24 i32)
    (local $i25 i32) (local $d26 f64) (local $d27 f64) (local $d28 f64) (local $d29 f64)
    (local $d30 f64) (local $d31 f64) (local $d32 f64) (local $d33 f64) (local $i34 i32)
    (local $d35 f64) (local $i36 i32) (local $d37 f64)
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
    (local.set $i14
      (i32.add
        (local.get $threads:thread@0)
        (i32.shl (i32.sub (local.get $begin) (local.get $threads:thread@8)) (i32.const 4))))
    (local.set $i15
      (i32.add
        (local.get $threads:thread@0)
        (i32.shl (i32.sub (local.get $end) (local.get $threads:thread@8)) (i32.const 4))))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_u (local.get $i14) (local.get $i15))))
        (local.set $i16 (i32.load (local.get $i14)))
        (local.set $i17 (i32.add (local.get $positions) (i32.shl (local.get $i16) (i32.const 5))))
        (local.set $i18
          (i32.add (local.get $shifts) (i32.shl (i32.load offset=4 (local.get $i14)) (i32.const 5))))
        (local.set $d19 (f64.add (f64.load (local.get $i17)) (f64.load (local.get $i18))))
        (local.set $d20
          (f64.add (f64.load offset=8 (local.get $i17)) (f64.load offset=8 (local.get $i18))))
        (local.set $d21
          (f64.add (f64.load offset=16 (local.get $i17)) (f64.load offset=16 (local.get $i18))))
        (local.set $d13 (f64.const 0))
        ;; walk and call
        (local.set $i22
          (i32.add
            (local.get $threads:thread@4)
            (i32.shl (i32.load offset=8 (local.get $i14)) (i32.const 2))))
        (local.set $i23
          (i32.add
            (local.get $threads:thread@4)
            (i32.shl (i32.load offset=12 (local.get $i14)) (i32.const 2))))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_u (local.get $i22) (local.get $i23))))
            (local.set $i24 (i32.load (local.get $i22)))
            (local.set $i25
              (i32.add (local.get $positions) (i32.shl (local.get $i24) (i32.const 5))))
            (local.set $d26 (f64.sub (local.get $d19) (f64.load (local.get $i25))))
            (local.set $d27 (f64.sub (local.get $d20) (f64.load offset=8 (local.get $i25))))
            (local.set $d28 (f64.sub (local.get $d21) (f64.load offset=16 (local.get $i25))))
            (local.set $d29
              (f64.add
                (f64.add
                  (f64.mul (local.get $d26) (local.get $d26))
                  (f64.mul (local.get $d27) (local.get $d27)))
                (f64.mul (local.get $d28) (local.get $d28))))
            (if
              (f64.lt (local.get $d29) (local.get $cutoff2))
              (then
                (local.set $d30 (local.get $d26))
                (local.set $d31 (local.get $d27))
                (local.set $d32 (local.get $d28))
                (local.set $d33 (local.get $d29))
                (block $b4
                  (local.set $i34
                    (i32.add
                      (i32.add
                        (local.get $threads:thread@24)
                        (i32.shl (local.get $i16) (i32.const 5)))
                      (i32.const 24)))
                  (local.set $d35 (f64.load (local.get $i34)))
                  (if
                    (f64.lt (local.get $d33) (local.get $d35))
                    (then
                      (local.set $i36
                        (i32.add
                          (i32.add
                            (local.get $threads:thread@24)
                            (i32.shl (local.get $i16) (i32.const 5)))
                          (i32.const 24)))
                      (local.set $d37 (local.get $d33))
                      (f64.store (local.get $i36) (local.get $d37)))))))
            (local.set $i22 (i32.add (local.get $i22) (i32.const 4)))
            (br $b3)))
        (local.set $i14 (i32.add (local.get $i14) (i32.const 16)))
        (br $b1)))))
