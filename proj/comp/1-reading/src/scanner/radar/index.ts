export { OPENERS, type Opener } from './openers.js'
export { endOf, Radar, type Sighting } from './radar.js'
