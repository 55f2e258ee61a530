;; share
;;
;; Functor 'share' over rows begin … end − 1, one particle at a time.
;;   search    the first list entry of the rows
;;   fill      neighbors within the cutoff are packed into the buffer of the thread
;;   call      the functor once, over the buffer
;;   store     what the particle received goes to its row
;;   scatter   what neighbors received goes to theirs
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $threads i32)
    (local $threads:thread i32) (local $threads:thread@0 i32) (local $threads:thread@4 i32)
    (local $threads:thread@8 i32) (local $capacity i32) (local $threads:thread@16 i32)
    (local $i14 i32) (local $threads:thread@16:capacity i32) (local $i16 i32) (local $i17 i32)
    (local $i18 i32) (local $i19 i32) (local $i20 i32) (local $threads:thread@20 i32)
    (local $d22 f64) (local $i23 i32) (local $i24 i32) (local $i25 i32) (local $i26 i32)
    (local $k i32) (local $positions:k i32) (local $i29 i32) (local $d30 f64) (local $d31 f64)
    (local $d32 f64) (local $i33 i32) (local $i34 i32) (local $i35 i32) (local $i36 i32)
    (local $d37 f64) (local $d38 f64) (local $d39 f64) (local $d40 f64) (local $d41 f64)
    (local $d42 f64) (local $d43 f64) (local $d44 f64) (local $d45 f64) (local $k#2 i32)
    (local $i47 i32) (local $d48 f64) (local $d49 f64) (local $i50 i32) (local $o.force i32)
    (local $i52 i32) (local $k#3 i32) (local $i54 i32) (local $d55 f64) (local $i56 i32)
    (local.set $positions (i32.load (local.get $args)))
    (local.set $shifts (i32.load offset=8 (local.get $args)))
    (local.set $cutoff2 (f64.load offset=16 (local.get $args)))
    (local.set $threads (i32.load offset=24 (local.get $args)))
    (local.set $threads:thread
      (i32.add (local.get $threads) (i32.mul (local.get $thread) (i32.const 24))))
    (local.set $threads:thread@0 (i32.load (local.get $threads:thread)))
    (local.set $threads:thread@4 (i32.load offset=4 (local.get $threads:thread)))
    (local.set $threads:thread@8 (i32.load offset=8 (local.get $threads:thread)))
    (local.set $capacity (i32.load offset=32 (local.get $args)))
    (local.set $threads:thread@16 (i32.load offset=16 (local.get $threads:thread)))
    (local.set $i14 (i32.sub (local.get $capacity) (i32.const 1)))
    (local.set $threads:thread@16:capacity
      (i32.add (local.get $threads:thread@16) (i32.shl (local.get $capacity) (i32.const 2))))
    (local.set $i16
      (i32.add
        (local.get $threads:thread@16:capacity)
        (i32.shl (local.get $capacity) (i32.const 3))))
    (local.set $i17 (i32.add (local.get $i16) (i32.shl (local.get $capacity) (i32.const 3))))
    (local.set $i18 (i32.add (local.get $i17) (i32.shl (local.get $capacity) (i32.const 3))))
    (local.set $i19 (i32.add (local.get $i18) (i32.shl (local.get $capacity) (i32.const 3))))
    (local.set $i20 (i32.add (local.get $i19) (i32.shl (local.get $capacity) (i32.const 3))))
    (local.set $threads:thread@20 (i32.load offset=20 (local.get $threads:thread)))
    (local.set $o.force (i32.load offset=40 (local.get $args)))
    (local.set $i23 (local.get $threads:thread@0))
    (local.set $i24 (local.get $threads:thread@4))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_u (local.get $i23) (local.get $i24))))
        (local.set $i25
          (i32.add
            (local.get $i23)
            (i32.shl
              (i32.shr_u (i32.sub (local.get $i24) (local.get $i23)) (i32.const 5))
              (i32.const 4))))
        (if
          (i32.lt_s (i32.load (local.get $i25)) (local.get $begin))
          (then
            (local.set $i23 (i32.add (local.get $i25) (i32.const 16))))
          (else
            (local.set $i24 (local.get $i25))))
        (br $b1)))
    (local.set $k (local.get $begin))
    (block $b2
      (loop $b3
        (br_if $b2 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $i26 (i32.const 0))
        (local.set $positions:k
          (i32.add (local.get $positions) (i32.shl (local.get $k) (i32.const 5))))
        (block $b4
          (loop $b5
            (br_if $b4 (i32.eqz (i32.lt_u (local.get $i23) (local.get $threads:thread@4))))
            (br_if $b4 (i32.ne (i32.load (local.get $i23)) (local.get $k)))
            (local.set $i29
              (i32.add
                (local.get $shifts)
                (i32.shl (i32.load offset=4 (local.get $i23)) (i32.const 5))))
            (local.set $d30
              (f64.add (f64.load (local.get $positions:k)) (f64.load (local.get $i29))))
            (local.set $d31
              (f64.add
                (f64.load offset=8 (local.get $positions:k))
                (f64.load offset=8 (local.get $i29))))
            (local.set $d32
              (f64.add
                (f64.load offset=16 (local.get $positions:k))
                (f64.load offset=16 (local.get $i29))))
            (local.set $i33
              (i32.add
                (local.get $threads:thread@8)
                (i32.shl (i32.load offset=8 (local.get $i23)) (i32.const 2))))
            (local.set $i34
              (i32.add
                (local.get $threads:thread@8)
                (i32.shl (i32.load offset=12 (local.get $i23)) (i32.const 2))))
            (block $b6
              (loop $b7
                (br_if $b6 (i32.eqz (i32.lt_u (local.get $i33) (local.get $i34))))
                (local.set $i35 (i32.load (local.get $i33)))
                (local.set $i36
                  (i32.add (local.get $positions) (i32.shl (local.get $i35) (i32.const 5))))
                (local.set $d37 (f64.sub (local.get $d30) (f64.load (local.get $i36))))
                (local.set $d38 (f64.sub (local.get $d31) (f64.load offset=8 (local.get $i36))))
                (local.set $d39 (f64.sub (local.get $d32) (f64.load offset=16 (local.get $i36))))
                (local.set $d40
                  (f64.add
                    (f64.add
                      (f64.mul (local.get $d37) (local.get $d37))
                      (f64.mul (local.get $d38) (local.get $d38)))
                    (f64.mul (local.get $d39) (local.get $d39))))
                (if
                  (f64.lt (local.get $d40) (local.get $cutoff2))
                  (then
                    (local.set $d41 (local.get $d37))
                    (local.set $d42 (local.get $d38))
                    (local.set $d43 (local.get $d39))
                    (local.set $d44 (local.get $d40))
                    (i32.store
                      (i32.add
                        (local.get $threads:thread@16)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 2)))
                      (local.get $i35))
                    (f64.store
                      (i32.add
                        (local.get $threads:thread@16:capacity)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                      (local.get $d41))
                    (f64.store
                      (i32.add
                        (local.get $i16)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                      (local.get $d42))
                    (f64.store
                      (i32.add
                        (local.get $i17)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                      (local.get $d43))
                    (f64.store
                      (i32.add
                        (local.get $i18)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                      (local.get $d44))
                    (f64.store
                      (i32.add
                        (local.get $i19)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                      (f64.const 0))
                    (local.set $i26 (i32.add (local.get $i26) (i32.const 1)))))
                (local.set $i33 (i32.add (local.get $i33) (i32.const 4)))
                (br $b7)))
            (local.set $i23 (i32.add (local.get $i23) (i32.const 16)))
            (br $b5)))
        (local.set $d22 (f64.const 0))
        (local.set $d45 (local.get $d22))
        (block $b8
          (local.set $k#2 (i32.const 0))
          (block $b9
            (loop $b10
              (local.set $i47 (local.get $i26))
              (br_if $b9
                (i32.eqz
                  (i32.lt_s
                    (local.get $k#2)
                    (select
                      (i32.const 2147483647)
                      (local.get $i47)
                      (i32.lt_s (local.get $i47) (i32.const 0))))))
              (block $b11
                (local.set $d48
                  (f64.load
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 3)))))
                (local.set $d22
                  (f64.add (local.get $d22) (f64.mul (f64.const 0.5) (local.get $d48))))
                (local.set $d49
                  (f64.load
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 3)))))
                (local.set $i50
                  (i32.add
                    (local.get $i19)
                    (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 3))))
                (f64.store
                  (local.get $i50)
                  (f64.sub (f64.load (local.get $i50)) (f64.mul (f64.const 0.5) (local.get $d49)))))
              (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
              (br $b10))))
        ;; store and scatter
        (local.set $i52
          (i32.add
            (i32.add (local.get $o.force) (i32.shl (local.get $k) (i32.const 5)))
            (i32.const 0)))
        (f64.store (local.get $i52) (f64.add (f64.load (local.get $i52)) (local.get $d22)))
        (local.set $k#3 (i32.const 0))
        (block $b12
          (loop $b13
            (br_if $b12 (i32.eqz (i32.lt_s (local.get $k#3) (local.get $i26))))
            (local.set $i54
              (i32.load
                (i32.add
                  (local.get $threads:thread@16)
                  (i32.shl (i32.and (local.get $k#3) (local.get $i14)) (i32.const 2)))))
            (local.set $d55
              (f64.load
                (i32.add
                  (local.get $i19)
                  (i32.shl (i32.and (local.get $k#3) (local.get $i14)) (i32.const 3)))))
            (local.set $i56
              (i32.add
                (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i54) (i32.const 5)))
                (i32.const 0)))
            (f64.store (local.get $i56) (f64.add (f64.load (local.get $i56)) (local.get $d55)))
            (local.set $k#3 (i32.add (local.get $k#3) (i32.const 1)))
            (br $b13)))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b3)))))
