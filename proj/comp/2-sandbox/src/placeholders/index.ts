export { placePlaceholders, removeOldPlaceholders, standingPlaceholders } from './placeholders.js'
