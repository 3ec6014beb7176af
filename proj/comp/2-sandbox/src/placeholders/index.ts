export {
  isLeftBehind, make, own, placePlaceholders, removeOldPlaceholders, standingPlaceholders,
} from './placeholders.js'
