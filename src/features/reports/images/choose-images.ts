import { imageTypes } from '#contract/report-images.ts'

/** Opens the browser's dialog for files. `then` gets the chosen images; it is not called if the dialog is canceled. */
export function chooseImages(then: (files: readonly File[]) => void) {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.accept = imageTypes.join(',')
  input.addEventListener('change', () => then([...(input.files ?? [])]))
  input.click()
}
