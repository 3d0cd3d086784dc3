/** The nonce of this response's Content-Security-Policy. Browsers hide the attribute and keep the property. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}

// react-remove-scroll, a dependency of Mantine's Modal, reads the nonce for its style element here.
globalThis.__webpack_nonce__ = cspNonce
