export { itemSize, type ItemSize } from './item-size.js'
