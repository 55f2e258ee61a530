/** Simulations that share a device, and take their steps together. */

export { openReplicas, type ReplicaOptions, type Replicas } from '../context/openReplicas.js';
