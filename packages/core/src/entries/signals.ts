export { endMainWork } from '../signals/endMainWork.js';
export { type EndSignal, endSignals, hearSignals, type SignalEar } from '../signals/hearSignals.js';
