# a metal in tables at constant energy
units metal
lattice fcc 3.61
region box block 0 5 0 5 0 5
create_box 2 box
create_atoms 1 box basis 2 2
mass 1 63.546
mass 2 58.693
velocity all create 600 909 loop geom
region part sphere 1.5 1.5 1.5 1.2
group part region part
displace_atoms part move 0.05 -0.1 0.07 units box
pair_style eam/alloy
pair_coeff * * MN.eam.alloy M N
mass 1 63.546
mass 2 58.693
neighbor 1.0 bin
neigh_modify every 1 delay 0 check yes
timestep 0.001
fix 1 all nve
thermo 10
run 100
