export { hermesCommandOf } from './manifest-bin.js'
export { NextStart } from './next-start.js'
export { nextStartPlaces } from './places.js'
