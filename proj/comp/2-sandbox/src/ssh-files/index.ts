export { isElsewhere, openBySsh, openRemotePlace, type RemotePlace } from './remote-place.js'
