/** CSP nonce of this page, from the meta tag that the server fills. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Shares the nonce with the scroll lock of Mantine's overlays, which reads webpack's global variable. */
export function shareNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
