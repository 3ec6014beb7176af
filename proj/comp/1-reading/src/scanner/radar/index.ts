export { BLOCK_HINT, CALL_HINT, EDIT_OPENERS, OPENERS, START_HINT, type Opener } from './openers.js'
export { Marks, type Places } from './marks.js'
export { Radar, type Sighting } from './radar.js'
