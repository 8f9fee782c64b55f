/**
 * Joins class names. Two of them never set the same thing: CSS would choose by the order of its sheet. If a caller
 * may change a primitive's class, the primitive has it in the layer of components (`globals.css`): utilities win over
 * it.
 */
export { clsx as cn } from 'clsx'
