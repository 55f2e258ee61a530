import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { describeImages } from '../../shared/imageBodies.js';

// Flights go some hundred lengths: rounding of f64.
describeImages('cpu', () => createExecutionContext({ backend: 'cpu', threads: 2 }), 1e-11);
