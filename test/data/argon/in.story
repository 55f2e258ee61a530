# The story of examples/12-argon.yaml, for LAMMPS:   lmp -in in.story -var seed 1
# generate.ts runs it with many seeds, and writes lammps.json.
units metal
atom_style atomic
lattice fcc 5.72
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 39.948
pair_style lj/cut 10.2
pair_coeff 1 1 0.0103235 3.405
pair_modify shift yes
neighbor 1.0 bin
neigh_modify every 1 delay 0 check yes
timestep 0.004
variable a equal 1000+v_seed
variable b equal 2000+v_seed
variable c equal 3000+v_seed
velocity all create 188.8 $a mom yes dist gaussian

# The crystal melts, and the liquid cools.
fix 1 all nve
fix 2 all langevin 180 94.4 1.0 $b zero yes
run 2500
unfix 2
unfix 1
# The density of 1 bar.
fix 1 all npt temp 94.4 94.4 0.2 iso 1 1 2.0
run 5000
unfix 1
# The temperature, at that density. Langevin is canonical as Bussi is: the package of Bussi's thermostat is not in every binary.
fix 1 all nve
fix 2 all langevin 94.4 94.4 0.5 $c zero yes
run 2500
unfix 2

# What is measured, at constant energy.
reset_timestep 0
compute g all rdf 200 cutoff 10.0
comm_modify cutoff 11.5
fix g all ave/time 50 200 10000 c_g[*] file rdf.txt mode vector
variable p1 equal pxy
variable p2 equal pxz
variable p3 equal pyz
variable p4 equal (pxx-pyy)/2
variable p5 equal (pxx+pyy-2*pzz)/sqrt(12)
fix s all ave/correlate 5 201 10000 v_p1 v_p2 v_p3 v_p4 v_p5 type auto ave running file sacf.txt
dump r all custom 25 r.dump id xu yu zu
dump v all custom 5 v.dump id vx vy vz
dump_modify r sort id
dump_modify v sort id
variable te equal temp
variable pr equal press
variable en equal pe
variable vo equal vol
fix m all ave/time 5 2000 10000 v_te v_pr v_en v_vo file means.txt format " %.10g"
thermo_style custom step temp press pe vol
thermo 10000
thermo_modify norm no format float %.12g
run 10000
