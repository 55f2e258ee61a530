#!/usr/bin/env node
import { processStreams } from '@corpuscle/cli';
import { create } from '../dist/index.js';

process.exitCode = await create(process.argv.slice(2), processStreams());
