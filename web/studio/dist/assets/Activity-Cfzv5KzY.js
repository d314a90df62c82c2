<<<<<<<< HEAD:web/studio/dist/assets/Activity-Cfzv5KzY.js
import{o as e,p as t,w as n}from"./index-B123SDEP.js";var r=n();function i(){return(0,r.jsx)(e,{title:`Activity`,children:(0,r.jsx)(t,{icon:`activity`,title:`This page is being built`})})}export{i as default};
========
import{i as e,m as t,w as n}from"./index-BCnMofNi.js";var r=n();function i(){return(0,r.jsx)(e,{title:`Activity`,children:(0,r.jsx)(t,{icon:`activity`,title:`This page is being built`})})}export{i as default};
>>>>>>>> 7d77e1c8 (studio: say where one lands, and measure a long library):web/studio/dist/assets/Activity-BcyeUwwd.js
