/** `?theme=light` or `dark` decides; without it the page follows the reader's system. */
export function followTheme(asked: string | null) {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const theme = asked === 'light' || asked === 'dark' ? asked : dark.matches ? 'dark' : 'light'
    // The palette's own attribute (src/app/tokens.css).
    document.documentElement.dataset['mantineColorScheme'] = theme
    document.documentElement.dataset['theme'] = theme
  }
  dark.addEventListener('change', apply)
  apply()
}
