import { serve } from '../thread/serve.js';
import { type H5mdRequest, H5mdServer } from './H5mdServer.js';

/** A thread that reads or writes a file of H5MD while steps go on. */
console.error = () => undefined; // HDF5 throws what it prints.
const server = new H5mdServer();
serve((request: H5mdRequest) => server.handle(request));
