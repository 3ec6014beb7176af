export { itemSize, type ItemSize } from './item-content.js'
