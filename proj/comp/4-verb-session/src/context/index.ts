export { itemSize } from './item-content.js'
