export { isElsewhere, openBySsh, openRemotePlace } from './remote-place.js'
export type { RemotePlace } from './remote-place.js'
