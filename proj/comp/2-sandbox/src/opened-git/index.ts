export { OpenedGit } from './opened-git.js'
