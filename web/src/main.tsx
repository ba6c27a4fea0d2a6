import './style/colours.css';
import './style/base.css';
import './style/parts.css';
import './style/charts.css';
import 'uplot/dist/uPlot.min.css';
import { render } from 'preact';
import { App } from './app';
import { applyTheme } from './core/theme';

applyTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
// The list of answers of an exported site stands in a script behind this one.
addEventListener('DOMContentLoaded', () => render(<App />, document.getElementById('app')!));
