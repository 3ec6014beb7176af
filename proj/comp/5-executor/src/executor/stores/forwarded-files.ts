export { ForwardedFiles, type FileUse } from '../../../../2-files/src/index.js'
