export { CardsEngine } from './cards/CardsEngine.js';
export type { Communicator, Message, Transfer } from './communicator/Communicator.js';
export { joinRanks, MpiCommunicator } from './communicator/MpiCommunicator.js';
export { RanksEngine } from './engine/RanksEngine.js';
