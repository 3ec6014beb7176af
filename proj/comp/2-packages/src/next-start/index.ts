export { commandOf } from './manifest-command.js'
export { NextStart } from './next-start.js'
export { nextStartPlaces } from './places.js'
