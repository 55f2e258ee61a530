/** Operators of exaNBody, and of programs on it, that nothing has to replace: docs/exanbody.md says why. */
export const unnecessary: ReadonlySet<string> = new Set(
  `nop global unit_system before_timestep default_slot_value_from_ctor_args compact_particle_ids domain_update domain_extract_xform
  backup_xform grid_clear grid_memory_compact copy_grid copy_back_grid grid_passthru resize_particle_locks rebuild_amr amr_grid_pairs
  nbh_dist move_particles move_particles_double move_particles_int chunk_neighbors chunk_neighbors_init chunk_neighbors_stats backup_r
  backup_r_lt_move_data particle_displ_over particle_displ_over_async_end restore_r check_backup_r verify_chunk_neighbors
  check_es_consistency_double debug_print_ghosts debug_particle debug_particle_distance debug_total_force check_random_engine
  ghost_update_all ghost_update_all_no_fv ghost_update_all_no_fv_no_gcv ghost_update_all_no_gcv ghost_update_opt ghost_update_opt_no_gcv
  ghost_update_r ghost_update_r_no_gcv update_force_from_ghost update_force_from_ghost_no_gcv update_gcv_from_ghost update_ghost_config
  update_opt_from_ghost update_opt_from_ghost_no_gcv grid_clear_ghosts print_ghost_comm_scheme print_ghost_comm_stats ghost_comm_scheme
  init_rcb_grid load_balance_rcb simple_cost_model lb_event_counter cpu_gpu_load_balance migrate_cell_particles
  migrate_cell_particles_double migrate_cell_particles_int subdomain_neighbors cell_owner_rank mpi_comm_world mpi_dup mpi_barrier
  mpi_btree zero_particle_force zero_force_energy divide_force_by_type_scalar force_to_accel update_virial_force_energy_from_ghost
  update_force_energy_from_ghost resize_grid_cell_values print_domain print_grid grid_stats print_simulation_stats simulation_stats
  simulation_thermodynamic_state print_thermodynamic_state performance_adviser memory_stats onika_memory_log init_cuda finalize_cuda
  logo_banner print_logo_banner make_empty_grid grid_flavor grid_flavor_minimal grid_flavor_multimat grid_flavor_full init_rcut_max
  parallel_update_particles init_particles reduce_species`.split(/\s+/),
);

/** Blocks of settings of such operators, and of parts of the default simulation. */
export const quietSections: ReadonlySet<string> = new Set(
  `grid_flavor domain replicate_domain logo_banner final_dump chunk_neighbors rebuild_amr memory_stats compute_loop init_prolog init_epilog
  check_values unit_system`.split(/\s+/),
);
