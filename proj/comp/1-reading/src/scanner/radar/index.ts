export { EDIT_OPENERS, OPENERS, type Opener } from './openers.js'
export { Radar, type Sighting } from './radar.js'
