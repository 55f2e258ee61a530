import DefaultTheme from 'vitepress/theme';
import 'katex/dist/katex.min.css';

export default DefaultTheme;
