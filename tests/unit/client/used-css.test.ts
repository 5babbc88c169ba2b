import { expect, test } from 'vitest';
// oxlint-disable-next-line import/no-relative-parent-imports -- the build's own files have no import prefix
import { usedCss } from '../../../client/used-css.ts';

const MARKUP = '<p class="a b" style="color: var(--typed)"></p><svg class="c"></svg>';
const keeps = (css: string) => expect(usedCss(css, MARKUP)).toBe(css);
const drops = (css: string, rest = '') => expect(usedCss(css, MARKUP)).toBe(rest);

test('rules whose class names the markup has stay, as do those without any', () => {
  keeps('p{margin:0}.a{color:red}.a.b:hover>.c{color:red}[data-scheme=dark] .a{color:red}');
  drops('.a.gone{color:red}.gone .a{color:red}.ab{color:red}');
  drops('.a,.gone{color:red}', '.a{color:red}');
});

test('a class name in brackets is not required, and a comma there separates no selectors', () => {
  keeps('.a:not(.gone){color:red}.a:where(.gone,:not(.b)),.b:is(.c,.gone){color:red}.a[title="x,y"]{color:red}');
});

test('the rules in media queries are chosen alike, and an empty query goes', () => {
  keeps('@media print{.a{color:red}}@layer base;');
  drops('@media print{.gone{color:red}}@supports (gap:0){@media print{.gone{color:red}}}');
});

test('fonts stay; animations and variables only when something names them', () => {
  keeps('@font-face{font-family:A;src:url(a.woff2)}');
  keeps('.a{animation:turn 1s}@keyframes turn{0%{top:0}to{top:1px}}');
  drops('@keyframes turn{0%{top:0}to{top:1px}}.gone{animation:turn 1s}');
  keeps(':root{--seen:red;--typed:blue}.a{color:var(--seen)}');
  drops(
    ':root{--seen:red;--seen-not:red;--chain:var(--only);--only:red}.a{color:var(--seen)}',
    ':root{--seen:red}.a{color:var(--seen)}',
  );
});

test('brackets in quoted text end no rule', () => {
  keeps('.a:after{content:"}{\\""}.b{color:red}');
});
