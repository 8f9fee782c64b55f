/** The request to go on with a cut reply, of models that do not when it ends the prompt. */
export const goOn =
  'Your last reply was cut off. Continue it exactly where it stopped, in the middle of a word if it stopped there. Repeat nothing, and add no introduction. Begin with a space or a line break if one comes next.'
